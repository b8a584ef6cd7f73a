// @ts-check
// What the linter looks at and minds. The scripts run in browsers, their tests in Node.
import js from "@eslint/js";
import globals from "globals";

export default [
  { ignores: ["**/.venv*/", "build/"] },
  {
    files: ["web/static/*.js", "companion/games/*/ui/static/*.js", "tests/web/browser/*.js"],
    languageOptions: { globals: globals.browser },
  },
  { files: ["tests/javascript/*.js"], languageOptions: { globals: { ...globals.node, document: "readonly" } } },
  {
    ...js.configs.recommended,
    files: ["**/*.js"],
    rules: {
      ...js.configs.recommended.rules,
      complexity: ["error", 20],
      eqeqeq: "error",
      "max-lines": ["error", 500],
      "max-lines-per-function": ["error", 60],
      "no-console": "error",
      "no-unused-vars": ["error", { varsIgnorePattern: "^_" }],
      "no-var": "error",
      "object-shorthand": "error",
      "prefer-const": "error",
      "prefer-template": "error",
    },
  },
];
