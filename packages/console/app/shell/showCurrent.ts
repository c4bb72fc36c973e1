/** Scrolls the navigation, which is longer than most windows, to the present page. */

/** `scrollIntoView` would do it, but the next Tab would go on from there instead of at the beginning of the page. */
export const showCurrent = (navigation: HTMLElement | null): void => {
  const current = navigation?.querySelector("[aria-current]")
  if (navigation === null || !current) return
  const around = navigation.getBoundingClientRect()
  const box = current.getBoundingClientRect()
  navigation.scrollLeft += findDistance(box.left, box.right, around.left, around.right)
  navigation.scrollTop += findDistance(box.top, box.bottom, around.top, around.bottom)
}

/** Pixels at the ends that the shadows take. */
const margin = 32

/** How far to scroll until a span is between two ends; it is shorter than what is between them. */
const findDistance = (from: number, to: number, first: number, last: number): number =>
  from < first ? from - first - margin : to > last ? to - last + margin : 0
