// @ts-check
// The table's screen: the names of the cities, as many as can be read.
import { writeForAfar } from "/static/afar.js";
import { all } from "/static/elements.js";
import { map } from "./map.js";

if (map) writeForAfar(map, all(".rail-names text"));
