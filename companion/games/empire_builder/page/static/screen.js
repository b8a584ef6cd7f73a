// @ts-check
// The table's screen: the names of the cities, as many as can be read; the major ones first.
import { writeForAfar } from "/static/afar.js";
import { all } from "/static/elements.js";
import { map } from "./map.js";

const major = (/** @type {Element} */ one) => one.classList.contains("eb-name-major");
/** @type {SVGGraphicsElement[]} */
const names = all(".eb-names .eb-name");
if (map) writeForAfar(map, [...names.filter(major), ...names.filter((one) => !major(one))]);
