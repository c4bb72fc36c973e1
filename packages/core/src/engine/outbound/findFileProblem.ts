/** Checks a field that holds the bytes of a file as base64, or an address of the file. */
import { addressRequired, findMediaUrlProblem } from "./findMediaUrlProblem.ts"

/**
 * The problem; undefined: there is none. `isBytes`: no API has a file name in this field, so any file may begin with a
 * slash. Text with characters outside of base64 is an address.
 */
export const findFileProblem = (
  text: string,
  settings: Parameters<typeof findMediaUrlProblem>[1],
  isBytes = false
): string | undefined => {
  if (isBase64(text, isBytes)) return undefined
  const problem = findMediaUrlProblem(text, settings)
  return problem === addressRequired ? "must be base64, or an https, http or data address" : problem
}

/** No address is longer, so that the rest of a file need not be read. */
const maxRead = 8192

const isBase64 = (text: string, isBytes: boolean): boolean => {
  const start = text.length > maxRead ? text.slice(0, maxRead) : text
  // Both alphabets of RFC 4648; MIME breaks lines.
  if (!/^[A-Za-z0-9+/_\-\s]*(?:=\s*){0,2}$/.test(start)) return false
  return !/^\s*\//.test(text) || isSlashFirst(text, start, isBytes)
}

/**
 * Paths and addresses without a scheme begin with a slash, and so do files whose first byte is 0xFC or more: JPEG, MP3, AAC,
 * and text in UTF-16 (https://en.wikipedia.org/wiki/List_of_file_signatures). Such a file is padded, unless it is a JPEG, and
 * no name of a host. Sound without a header begins with anything, and is longer than any path.
 */
const isSlashFirst = (text: string, start: string, isBytes: boolean): boolean => {
  if (/^\s*\/9j\//.test(start)) return true
  const isFile =
    start.length > maxPath ||
    /^\s*(?:\/\/[4-7E-Jk-vM-P]|\/v8)/.test(start) ||
    (isBytes && /^\s*\/[^/].*=\s*$/s.test(text))
  return (
    isFile &&
    !/^\s*\/\/localhost\b/i.test(start) &&
    (text.length > maxRead || text.replaceAll(/\s/g, "").length % 4 === 0)
  )
}

/** `PATH_MAX` of Linux, https://man7.org/linux/man-pages/man7/path_resolution.7.html. */
const maxPath = 4096
