/**
 * One HTML page that needs nothing else: no script, no address of another file, and a policy of its own that allows
 * only its style. Where another policy forbids that as well, everything stays readable.
 */

/** Escapes text for HTML and SVG, in elements and in quoted attributes. */
export const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => escapes.get(character) ?? character)

const escapes: ReadonlyMap<string, string> = new Map([
  ["&", "&amp;"],
  ["<", "&lt;"],
  [">", "&gt;"],
  ['"', "&quot;"],
  ["'", "&#39;"]
])

const style =
  "body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:64rem;padding:0 1rem;color:#1f2328;background:#fff}" +
  "h1{font-size:1.5rem}h2{font-size:1.15rem;margin-top:2rem}svg{max-width:100%;height:auto}" +
  "table{border-collapse:collapse}th,td{padding:.3rem .8rem;border-bottom:1px solid #d0d7de;text-align:right}" +
  "th:first-child,td:first-child{text-align:left}"

/** The hash of the style above; a test computes it anew. */
const styleHash = "sha256-q8pgm6XriM0V50WessC8mCthoo6DdiPbuE0JBJLSBrQ="

/** `parts` are HTML already. */
export const renderPage = (title: string, parts: ReadonlyArray<string>): string =>
  [
    "<!doctype html>",
    '<html lang="en">',
    '<meta charset="utf-8">',
    `<meta http-equiv="content-security-policy" content="default-src 'none'; style-src '${styleHash}'; base-uri 'none'; form-action 'none'">`,
    '<meta name="viewport" content="width=device-width">',
    `<title>${escapeHtml(title)}</title>`,
    `<style>${style}</style>`,
    `<h1>${escapeHtml(title)}</h1>`,
    ...parts,
    "</html>",
    ""
  ].join("\n")

export const renderHeading = (text: string): string => `<h2>${escapeHtml(text)}</h2>`

export const renderParagraph = (text: string): string => `<p>${escapeHtml(text)}</p>`

/** The first column is text, the others are figures. */
export const renderHtmlTable = (
  head: ReadonlyArray<string>,
  rows: ReadonlyArray<ReadonlyArray<string>>
): string =>
  [
    "<table>",
    `<thead><tr>${head.map((text) => `<th>${escapeHtml(text)}</th>`).join("")}</tr></thead>`,
    "<tbody>",
    ...rows.map((row) => `<tr>${row.map((text) => `<td>${escapeHtml(text)}</td>`).join("")}</tr>`),
    "</tbody>",
    "</table>"
  ].join("\n")
