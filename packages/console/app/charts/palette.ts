/** The colours of series: variables of the style sheet, so that they follow the viewer's scheme. */

const variables = ["--c1", "--c2", "--c3", "--c4", "--c5", "--c6", "--c7", "--c8"]

/** What a colour means, where it means something. */
export type SeriesColor = "good" | "bad" | "warn" | "rest" | number

const named: Readonly<Record<string, string>> = {
  good: "--good",
  bad: "--bad",
  warn: "--warn",
  rest: "--muted"
}

const toVariable = (color: SeriesColor): string =>
  typeof color === "number" ? variables[color % variables.length]! : named[color]!

/** For style sheets and SVG. */
export const toCssColor = (color: SeriesColor): string => `var(${toVariable(color)})`

/** For canvases. */
export const readColor = (color: SeriesColor, alpha = 1): string => {
  const value = readVariable(toVariable(color))
  return alpha === 1
    ? value
    : `${value}${Math.round(alpha * 255)
        .toString(16)
        .padStart(2, "0")}`
}

export const readVariable = (variable: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(variable).trim()
