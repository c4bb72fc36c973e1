/** A line through points by least squares. */

export type Point = readonly [x: number, y: number]

export interface Line {
  readonly slope: number
  /** The standard error of the slope. */
  readonly standardError: number
}

/** Needs three points with different `x`. */
export const fitLine = (points: ReadonlyArray<Point>): Line => {
  const count = points.length
  const mean = (pick: (point: Point) => number): number =>
    points.reduce((sum, point) => sum + pick(point), 0) / count
  const [x, y] = [mean((point) => point[0]), mean((point) => point[1])]
  const spread = mean((point) => (point[0] - x) ** 2) * count
  const slope = (mean((point) => (point[0] - x) * (point[1] - y)) * count) / spread
  const residuals = mean((point) => (point[1] - y - slope * (point[0] - x)) ** 2) * count
  return { slope, standardError: Math.sqrt(residuals / (count - 2) / spread) }
}
