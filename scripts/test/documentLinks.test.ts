/** Every relative link of the documentation leads to an existing file and heading. */
import { existsSync, globSync, readFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { describe, expect, it } from "vitest"

const root = join(import.meta.dirname, "../..")
const documents = globSync(
  ["*.md", "docs/**/*.md", "examples/*/README.md", "packages/*/README.md"],
  { cwd: root }
)

const withoutCode = (markdown: string): string => markdown.replace(/^```[\s\S]*?^```/gm, "")

/** The anchors that GitHub gives to headings. */
const listAnchors = (markdown: string): ReadonlyArray<string> => {
  const seen = new Map<string, number>()
  return Array.from(withoutCode(markdown).matchAll(/^#+ (.+)$/gm), ([, heading = ""]) => {
    const anchor = heading
      .trim()
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-")
    const count = seen.get(anchor) ?? 0
    seen.set(anchor, count + 1)
    return count === 0 ? anchor : `${anchor}-${count}`
  })
}

const listLinks = (markdown: string): ReadonlyArray<string> =>
  Array.from(
    withoutCode(markdown).matchAll(/\]\((?![a-z]+:)([^)\s]+)\)/g),
    ([, target = ""]) => target
  )

const isBroken = (document: string, link: string): boolean => {
  const [path = "", anchor] = link.split("#")
  const target = path === "" ? join(root, document) : join(root, dirname(document), path)
  if (!existsSync(target)) return true
  return anchor !== undefined && !listAnchors(readFileSync(target, "utf8")).includes(anchor)
}

it("derives anchors from headings as GitHub does", () => {
  const page = "# OpenRouter's client\n## `node:http`\n```sh\n# a comment\n```\n## Same\n## Same\n"
  expect(listAnchors(page)).toEqual(["openrouters-client", "nodehttp", "same", "same-1"])
})

it("finds a missing page and a missing heading", () => {
  const links = ["docs/README.md", "docs/none.md", "#none", "CONTRIBUTING.md#tests"]
  expect(links.filter((link) => isBroken("README.md", link))).toEqual(["docs/none.md", "#none"])
})

describe.each(documents)("%s", (document) => {
  it("has no broken link", () => {
    const links = listLinks(readFileSync(join(root, document), "utf8"))
    expect(links.filter((link) => isBroken(document, link))).toEqual([])
  })
})

it("docs/README.md links every page", () => {
  const index = listLinks(readFileSync(join(root, "docs/README.md"), "utf8"))
  const pages = globSync("docs/*/*.md", { cwd: root }).map((page) => relative("docs", page))
  expect(pages.filter((page) => !index.includes(page))).toEqual([])
})
