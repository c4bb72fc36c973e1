/** How much more work something takes when there is more of it to do. */

/**
 * How many times as much CPU time `run` takes for eight times as much: about 8 where each part costs the same, 64
 * where each costs as much as all before it. Whatever else the machine does only adds, so the least of each
 * counts, and what looks like too much is measured again.
 */
export const growth = (size: number, run: (size: number) => void): number => {
  run(size)
  let [small, large] = [Infinity, Infinity]
  for (let round = 0; round < 3 || (round < 30 && large / small > linear); round++) {
    small = Math.min(
      small,
      cpuOf(() => run(size))
    )
    large = Math.min(
      large,
      cpuOf(() => run(8 * size))
    )
  }
  return large / small
}

/** Between the two of them: what costs the square of its size is far above, whatever else the machine does. */
export const linear = 24

const cpuOf = (run: () => void): number => {
  const before = process.cpuUsage()
  run()
  const { system, user } = process.cpuUsage(before)
  return user + system
}
