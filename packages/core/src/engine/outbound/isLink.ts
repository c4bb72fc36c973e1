/** Whether a text is an address rather than base64 or a word. */

/**
 * Whether parsers of URLs see a link: they skip leading blanks and control characters, drop tabs and line breaks
 * anywhere, and take backslashes for slashes (https://url.spec.whatwg.org/#url-parsing). Some trim Unicode blanks
 * first.
 */
export const isLink = (text: string): boolean =>
  /^(?:(?:[a-z][a-z0-9+.-]*:)?[/\\]{2}|(?:file|ftp|https?):)/i.test(
    text.slice(0, maxStart).replaceAll(/^[\0-\u0020\s]+|[\t\n\r]/g, "")
  )

/** No scheme is longer. */
const maxStart = 256
