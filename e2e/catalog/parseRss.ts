/** Parses a feed strictly; XML that is not well-formed throws. */
import { SaxesParser } from "saxes"

/** The texts of the elements without children, by name. */
export type Texts = Readonly<Record<string, string>>

export const parseRss = (
  text: string
): { readonly channel: Texts; readonly items: ReadonlyArray<Texts> } => {
  const channel: Record<string, string> = {}
  const items: Array<Record<string, string>> = []
  const path: Array<string> = []
  let read = ""
  const parser = new SaxesParser()
  parser.on("error", (error) => {
    throw error
  })
  parser.on("opentag", ({ name }) => {
    path.push(name)
    read = ""
    if (path.join("/") === item) items.push({})
  })
  parser.on("text", (part) => {
    read += part
  })
  parser.on("closetag", ({ name }) => {
    path.pop()
    const parent = path.join("/")
    const into = parent === item ? items.at(-1) : parent === "rss/channel" ? channel : undefined
    if (into === undefined || name === "item") return
    if (name in into) throw new Error(`two of ${name}`)
    into[name] = read
  })
  parser.write(text).close()
  return { channel, items }
}

const item = "rss/channel/item"
