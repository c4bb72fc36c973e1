/** Colours of text, where the output has any. */
const codes = { bold: 1, red: 31, green: 32, yellow: 33, dim: 2 } as const
export type Colour = keyof typeof codes

export type Paint = (colour: Colour, text: string) => string

export const makePaint =
  (canColor: boolean): Paint =>
  (colour, text) =>
    canColor ? `\u001b[${codes[colour]}m${text}\u001b[0m` : text
