/** Makes names of types from the names of the contract. */

export const pascal = (name: string): string =>
  name.replaceAll(/(?:^|[_-])(\w)/g, (_, letter: string) => letter.toUpperCase())

export const singular = (name: string): string =>
  name.endsWith("ies") && name !== "series"
    ? `${name.slice(0, -3)}y`
    : /(?:ss|us|is|series)$/.test(name)
      ? name
      : name.replace(/s$/, "")
