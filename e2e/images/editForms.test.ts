/** Edits of images by forms: what clients send, and what would be lost is refused. */
import { imageOf, reply } from "@signalbox/testing"
import { expect, test } from "vitest"
import { type ImageServerOptions, model, startImageServer } from "./startImageServer.ts"

type Part = readonly [name: string, value: string | Blob, filename?: string]

const png = new Blob([Buffer.from(imageOf("64x64"), "base64")], { type: "image/png" })

const fields: ReadonlyArray<Part> = [
  ["prompt", "At night"],
  ["model", model],
  ["provider", '{"only":["first"]}']
]

const start = async (options: ImageServerOptions = {}) => {
  const server = await startImageServer(options)
  server.first.always(reply.images())
  return {
    ...server,
    edit: async (
      parts: ReadonlyArray<Part>,
      headers: Readonly<Record<string, string>> = {},
      key?: string
    ) => {
      const form = new FormData()
      for (const [name, value, filename] of [...parts, ...fields]) {
        if (typeof value === "string") form.append(name, value)
        else form.append(name, value, filename)
      }
      const request = new Request("http://localhost", { method: "POST", body: form })
      return server.call("/images/edits", {
        body: new Uint8Array(await request.arrayBuffer()),
        headers: { "content-type": request.headers.get("content-type")!, ...headers },
        ...(key === undefined ? undefined : { key })
      })
    }
  }
}

test("of a page of another site is refused when a cookie identifies the caller", async () => {
  const { edit, first, root } = await start({
    authenticate: ({ headers }) =>
      headers["cookie"] === undefined ? undefined : { user: "ann", account: "default" }
  })
  const fromPage = (origin: string, site: string) =>
    edit([["image", png, "sketch.png"]], { cookie: "s=1", origin, "sec-fetch-site": site }, "")
  expect((await fromPage("https://elsewhere.example", "cross-site")).status).toBe(403)
  expect(first.requests).toEqual([])
  expect((await fromPage(new URL(root).origin, "same-origin")).status).toBe(200)
})

test.each<readonly [string, ReadonlyArray<Part>, number]>([
  ["image", [["image", png, "a.png"]], 1],
  [
    "image[]",
    [
      ["image[]", png, "a.png"],
      ["image[]", png, "b.png"]
    ],
    2
  ],
  [
    "image[0]",
    [
      ["image[0]", png, "a.png"],
      ["image[1]", png, "b.png"]
    ],
    2
  ]
])("has its images as %s", async (_, parts, count) => {
  const { edit, first } = await start()
  expect((await edit(parts)).status).toBe(200)
  expect(first.requests[0]?.raw.match(/name="image(?:\[\])?"; filename/g)).toHaveLength(count)
})

test.each<readonly [string, ReadonlyArray<Part>, string]>([
  [
    "a second mask",
    [
      ["mask", png, "a.png"],
      ["mask[]", png, "b.png"]
    ],
    "mask[]"
  ],
  [
    "a mask as a text and as a file",
    [
      ["mask", "data:image/png;base64,AA=="],
      ["mask", png, "b.png"]
    ],
    "mask"
  ],
  ["a second prompt", [["prompt", "By day"]], "prompt"],
  [
    "a second size",
    [
      ["size", "1024x1024"],
      ["size", "512x512"]
    ],
    "size"
  ]
])("with %s is refused, because only one could be used", async (_, parts, path) => {
  const { edit, first } = await start()
  const answer = await edit([["image", png, "a.png"], ...parts])
  expect([answer.status, answer.text]).toEqual([
    400,
    expect.stringContaining(`${path}: must be in the form once`)
  ])
  expect(first.requests).toEqual([])
})

test("has every value of a list", async () => {
  const { edit, first } = await start()
  const answer = await edit([
    ["image", png, "a.png"],
    ["styles[]", "ink"],
    ["styles[]", "chalk"]
  ])
  expect(answer.status).toBe(200)
  expect(first.requests[0]?.raw).toContain('["ink","chalk"]')
})

test("of a page whose user chose no mask has none", async () => {
  const { edit, first } = await start()
  const answer = await edit([
    ["image", png, "a.png"],
    ["mask", new Blob([]), ""]
  ])
  expect(answer.status).toBe(200)
  expect(first.requests[0]?.raw).not.toContain('name="mask"')
})
