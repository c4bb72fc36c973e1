import { expect, it } from "vitest"
import { findCommands } from "../../app/shell/findCommands.ts"

const pages = [
  { group: "Monitor", path: "requests", title: "Requests" },
  { group: "Cost", path: "spend", title: "Spend" },
  { group: "Access", path: "keys", title: "Keys & audit" }
]
const find = (typed: string) => findCommands(pages, typed).map(({ target }) => target)

it("lists all pages until something is typed", () => {
  expect(find(" ")).toEqual(["#/requests", "#/spend", "#/keys"])
})

it("finds pages by words of their name and group, in any order and case", () => {
  expect(find("AUDIT keys")).toEqual(["#/keys"])
  expect(find("cost")).toEqual(["#/spend"])
  expect(find("spend keys")).toEqual([])
})

it("leads to the request of what may be an id", () => {
  expect(find("gen-1234/x")).toEqual(["#/requests/gen-1234%2Fx"])
  expect(find("customers")).toEqual([])
  expect(find("two words-1")).toEqual([])
})
