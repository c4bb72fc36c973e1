/** Writes a value as people do who hide it: in a form that another reader understands. */

type Disguise = (value: string) => string

export const reverse: Disguise = (value) => Array.from(value).toReversed().join("")

export const rotate: Disguise = (value) =>
  value.replaceAll(/[A-Za-z]/g, (letter) =>
    String.fromCharCode(letter.charCodeAt(0) + (letter.toLowerCase() < "n" ? 13 : -13))
  )

const toCodes =
  (write: (code: number) => string, separator = ""): Disguise =>
  (value) =>
    Array.from(value, (each) => write(each.charCodeAt(0))).join(separator)

const hex = (code: number): string => code.toString(16)

/** Of every detector. */
export const codes: Readonly<Record<string, Disguise>> = {
  "binary digits": toCodes((code) => code.toString(2).padStart(8, "0"), " "),
  "decimal digits": toCodes((code) => String(code), ", "),
  "escapes of code points": toCodes((code) => `\\u{${hex(code)}}`),
  "old escapes of URLs": toCodes((code) => `%u00${hex(code)}`),
  "entities without an end": toCodes((code) => `&#${code}`),
  "octal escapes": toCodes((code) => `\\${code.toString(8)}`)
}

const own: Readonly<Record<string, ReadonlyArray<Disguise>>> = {
  email: [
    (value) => value.replace("@", " [at] ").replaceAll(".", " [dot] "),
    (value) => value.replace("@", "(at)"),
    (value) => value.replace(".", "[.]"),
    (value) => value.replace("@", " AT ").replaceAll(".", " DOT ").replaceAll("_", ""),
    (value) => reverse(`${value.slice(0, value.indexOf("@"))}@example.com`)
  ],
  ssn: [(value) => `ssn${value}`, (value) => `SSN: ${value.replaceAll(/\D/g, ".")}`],
  "credit-card": [
    (value) => `card${value}`,
    (value) => `visa_${value.replaceAll(/\D/g, "")}`,
    (value) => `${value.replaceAll(/\D/g, "")}exp`,
    (value) => `卡号${value}是`
  ],
  "ip-address": [
    (value) => (value.includes(":") ? value : value.replaceAll(".", "[.]")),
    (value) => `host_${value}`
  ],
  iban: [
    (value) => `IBAN${value.replaceAll(" ", "")}`,
    (value) => value.replaceAll(" ", "").replaceAll(/.{4}(?=.)/g, "$&.")
  ],
  "national-id": [(value) => `ID_${value}`, (value) => `号码${value}`],
  secrets: [(value) => `token_${value}`, (value) => `my-${value}`],
  "regex-prompt-injection": [reverse, rotate, (value) => value.split(" ").map(reverse).join(" ")]
}

/** Draws a disguise that detectors are to see through. */
export const disguise = (draw: (below: number) => number, slug: string, value: string): string => {
  // What is encoded or spaced already would be an encoding in an encoding.
  if (/[^ -~]|<\||^i g |\\/.test(value)) return value
  const ways = [...(own[slug] ?? []), ...(value.length < 8 ? [] : Object.values(codes))]
  return ways[draw(ways.length)]!(value)
}
