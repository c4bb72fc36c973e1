/** The catalog as an RSS feed, read by a feed reader and by a strict XML parser. */
import { parseFeed } from "@rowanmanning/feed-parser"
import type { ModelConfig } from "@signalbox/core"
import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { scaleRuns } from "../../vitest.scope.ts"
import { CatalogTestServer } from "./CatalogTestServer.ts"
import { parseRss } from "./parseRss.ts"
import { pickHosts } from "../support/pickHosts.ts"
import { getProperty } from "../support/getProperty.ts"
import { otherModels, textModels } from "./catalogFixture.ts"

const hosts = pickHosts(import.meta.filename)

const publicUrl = "https://ai.example.com/models/"
const siteUrl = "https://ai.example.com/models"

const filters = [
  "",
  "&category=programming",
  "&limit=2&offset=1",
  "&output_modalities=all",
  "&q=nothing"
]

const makeNamedModel = (id: string, name: string, description: string): ModelConfig => ({
  id,
  name,
  created: 1_790_000_000,
  card: { description },
  endpoints: [{ provider: "first", price: {} }]
})

/** A name, and how it appears in the feed. */
const hostileNames = [
  ["<script>alert(1)</script>", "<script>alert(1)</script>"],
  ["]]> <![CDATA[ ]]>", "]]> <![CDATA[ ]]>"],
  ["a & b &amp; c &lt; &#0; &nbsp;", "a & b &amp; c &lt; &#0; &nbsp;"],
  ["</title></item></channel>", "</title></item></channel>"],
  ["<!-- --> <?xml?> <!DOCTYPE x>", "<!-- --> <?xml?> <!DOCTYPE x>"],
  ["\"quoted\" and 'quoted'", "\"quoted\" and 'quoted'"],
  ["null \u0000 bell \u0007 escape \u001B end", "null  bell  escape  end"],
  ["no \uFFFE characters \uFFFF", "no  characters "],
  ["half \uD83D of two \uDE00 pairs", "half \uFFFD of two \uFFFD pairs"],
  ["whole \u{1F600} pair", "whole \u{1F600} pair"],
  ["right \u202E to left, \u0085 next line", "right \u202E to left, \u0085 next line"],
  ["tab\tand\nline", "tab\tand\nline"]
] as const

describe.each(hosts)("the feed of $name", (host) => {
  test("has an item for every selected model, in the order of the list", async () => {
    await using server = await CatalogTestServer.start({ host, settings: { publicUrl } })
    for (const filter of filters) {
      const list = await server.ask(`/models?${filter}`)
      const ids = await server.listIds(`/models?${filter}`)
      const answer = await server.ask(`/models?use_rss=true${filter}`)
      expect(answer.status).toBe(200)
      expect(answer.headers["content-type"]).toBe("application/rss+xml; charset=utf-8")
      const { items } = parseRss(answer.text)
      expect(items.map(({ guid }) => guid)).toEqual(ids)
      const total = Number(getProperty(list.body, "total_count"))
      expect(items).toHaveLength(filter.includes("limit") ? 2 : total)
      expect(parseFeed(answer.text).items.map(({ id }) => id)).toEqual(ids)
    }
  })

  test("has the metadata that feed readers expect", async () => {
    await using server = await CatalogTestServer.start({ host, settings: { publicUrl } })
    const { text } = await server.ask("/models?use_rss=true&output_modalities=all")
    const feed = parseFeed(text)
    expect(feed.meta).toMatchObject({ type: "rss", version: "2.0" })
    expect({ title: feed.title, url: feed.url }).toEqual({ title: "Models", url: siteUrl })
    expect(feed.items.map(({ url }) => url)).toEqual(
      [...textModels, ...otherModels].map((id) => `${siteUrl}/${id}`)
    )
    const [first] = feed.items
    expect(first).toMatchObject({
      title: "Alpha One (acme/alpha)",
      description: "The first of them."
    })
    const listed = getProperty((await server.ask("/model/acme/alpha")).body, "data")
    expect(first?.published?.getTime()).toBe(Number(getProperty(listed, "created")) * 1_000)
  })

  test("links to chats when requested, and is served only when requested", async () => {
    await using server = await CatalogTestServer.start({ host, settings: { publicUrl } })
    const { text } = await server.ask("/models?use_rss=true&use_rss_chat_links=true&limit=2")
    expect(parseFeed(text).items.map(({ url }) => url)).toEqual([
      `${siteUrl}/chat?models=acme%2Falpha`,
      `${siteUrl}/chat?models=acme%2Fbeta`
    ])
    for (const query of ["use_rss_chat_links=true", "use_rss=false&use_rss_chat_links=true"]) {
      expect(await server.listIds(`/models?${query}`)).toEqual(textModels)
    }
  })

  test("has no links without a configured model page", async () => {
    await using server = await CatalogTestServer.start({ host })
    for (const query of ["use_rss=true", "use_rss=true&use_rss_chat_links=true"]) {
      const { text } = await server.ask(`/models?${query}`)
      expect(parseRss(text).items).toHaveLength(textModels.length)
      // RSS 2.0 requires a link for the channel, and a scheme in every link.
      expect(text.match(/<link>[^<]*<\/link>/g)).toEqual(["<link>urn:signalbox:models</link>"])
    }
  })

  test("is well-formed with any names and descriptions", async () => {
    const models = hostileNames.map(([text], place) =>
      makeNamedModel(`acme/model-${place}`, text, text)
    )
    await using server = await CatalogTestServer.start({ host, models, settings: { publicUrl } })
    const { text } = await server.ask("/models?use_rss=true")
    const { items } = parseRss(text)
    expect(items.map(({ description, title }) => ({ description, title }))).toEqual(
      hostileNames.map(([, left], place) => ({
        description: left,
        title: `${left} (acme/model-${place})`
      }))
    )
    const read = parseFeed(text)
    expect(read.items).toHaveLength(hostileNames.length)
    expect(read.items[0]?.title).toContain("alert(1)")
    // JSON can represent all of these characters.
    const { body } = await server.ask("/models")
    const cards = getProperty(body, "data") as ReadonlyArray<unknown>
    expect(cards.map((card) => getProperty(card, "name"))).toEqual(
      hostileNames.map(([text]) => text)
    )
  })
})

/** The `Char` production of XML 1.0: https://www.w3.org/TR/xml/#charsets. */
const toXmlText = (text: string): string =>
  Array.from(text.toWellFormed())
    .filter((character) =>
      /^[\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]$/u.test(character)
    )
    .join("")

describe("the feed of an arbitrary catalog", () => {
  test("is well-formed and preserves all characters that XML can represent", async () => {
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.string({
        unit: fc.constantFrom(
          ...Array.from("<>&;!-[]\"'/?#x0 \n\t\r"),
          "CDATA",
          "\0",
          "\uD800",
          "\uDC00",
          "\uFFFE"
        )
      })
    )
    await using server = await CatalogTestServer.start({ models: [], settings: { publicUrl } })
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(text, text), { minLength: 1 }), async (texts) => {
        const models = texts.map(([name, description], place) =>
          makeNamedModel(`acme/model-${place}`, `n${name}`, description)
        )
        await server.instance.replace({ models })
        const { items } = parseRss((await server.ask("/models?use_rss=true")).text)
        expect(items.map(({ description, title }) => [title, description])).toEqual(
          texts.map(([name, description], place) => [
            toXmlText(`n${name} (acme/model-${place})`),
            toXmlText(description)
          ])
        )
      }),
      { numRuns: scaleRuns(60) }
    )
  })
})
