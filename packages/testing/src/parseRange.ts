/** Parses a `Range` header; undefined for the whole content and for unsupported ranges. */
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
