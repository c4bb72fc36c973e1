/** Measures how CPU time grows with the size of the input. */

/**
 * The ratio of the CPU times of `run` for `8 * size` and `size`: about 8 for linear work, 64 for quadratic work. Other
 * load on the machine only adds time, so the minimum of several rounds counts. The small size runs eight times, because a
 * time of a few microseconds is now and then told as much too short.
 */
export const growth = (size: number, run: (size: number) => void): number => {
  run(size)
  let [small, large] = [Infinity, Infinity]
  for (let round = 0; round < 3 || (round < 30 && large / small > linear); round++) {
    small = Math.min(
      small,
      cpuOf(() => {
        for (let turn = 0; turn < factor; turn++) run(size)
      }) / factor
    )
    large = Math.min(
      large,
      cpuOf(() => run(factor * size))
    )
  }
  return large / small
}

const factor = 8

/** The limit for linear work, well below the ratio of quadratic work even under load. */
export const linear = 24

const cpuOf = (run: () => void): number => {
  const before = process.cpuUsage()
  run()
  const { system, user } = process.cpuUsage(before)
  return user + system
}
