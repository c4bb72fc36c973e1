/** What one `Range` header asks of so many bytes; undefined: the whole, as for anything it does not understand. */
export const parseRange = (
  header: string | undefined,
  total: number
): { readonly first: number; readonly last: number } | "unsatisfiable" | undefined => {
  const [, from, to] = /^bytes=(\d*)-(\d*)$/.exec(header ?? "") ?? []
  if (from === undefined || to === undefined || (from === "" && to === "")) return undefined
  const first = from === "" ? Math.max(0, total - Number(to)) : Number(from)
  const last = from === "" || to === "" ? total - 1 : Math.min(Number(to), total - 1)
  return first > last ? "unsatisfiable" : { first, last }
}
