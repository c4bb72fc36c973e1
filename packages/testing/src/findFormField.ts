/** A text field of a `multipart/form-data` body, found by its name. */
export const findFormField = (raw: string, name: string): string | undefined => {
  const head = `name="${name}"\r\n\r\n`
  const at = raw.indexOf(head)
  if (at === -1) return undefined
  const start = at + head.length
  const end = raw.indexOf("\r\n--", start)
  return end === -1 ? undefined : raw.slice(start, end)
}
