/** A number of things in words, such as `1 model` and `2 models`. */
export const count = (number: number, thing: string): string =>
  `${number} ${thing}${number === 1 ? "" : "s"}`
