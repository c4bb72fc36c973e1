/** How much more work something takes when there is more of it to do. */

/**
 * How many times as much CPU time `run` takes for eight times as much: about 8 where each part costs the same, 64
 * where each costs as much as all before it. The least of a few runs counts, for others use the machine too.
 */
export const growth = (size: number, run: (size: number) => void): number => {
  run(size)
  return cpuOf(() => run(8 * size)) / cpuOf(() => run(size))
}

/** Between the two of them: what costs the square of its size is far above, whatever else the machine does. */
export const linear = 24

const cpuOf = (run: () => void): number =>
  Math.min(
    ...Array.from({ length: 3 }, () => {
      const before = process.cpuUsage()
      run()
      const { system, user } = process.cpuUsage(before)
      return user + system
    })
  )
