// @ts-check
// In the browser a game's script imports the kit by its address; here that is a file.

/** @type {import("node:module").ResolveHook} */
export const resolve = (specifier, context, next) =>
  next(specifier.startsWith("/static/") ? new URL(`../../web${specifier}`, import.meta.url).href : specifier, context);
