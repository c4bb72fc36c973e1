/** The interval in which a share lies with 95 % confidence. */

/** Wilson's interval for `hits` of `count`; both may be sums of weights. Everything without a count. */
export const wilsonInterval = (
  hits: number,
  count: number
): { readonly low: number; readonly high: number } => {
  if (count <= 0) return { low: 0, high: 1 }
  const share = hits / count
  const scale = 1 + z ** 2 / count
  const centre = (share + z ** 2 / (2 * count)) / scale
  const half = (z / scale) * Math.sqrt((share * (1 - share)) / count + z ** 2 / (4 * count ** 2))
  return { low: Math.max(0, centre - half), high: Math.min(1, centre + half) }
}

const z = 1.959963984540054
