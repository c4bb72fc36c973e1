/** Every page of the console, dark and light, on a phone and on a screen: contrast, names, labels, and the keyboard. */
import type { Signalbox as Instance } from "@signalbox/core"
import type { Browser } from "puppeteer-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { pickScope } from "../../vitest.scope.ts"
import { auditAccessibility } from "./support/auditAccessibility.ts"
import { BrowserTab } from "./support/BrowserTab.ts"
import { browserHosts, consoleMount, makeOpenConsole } from "./support/consoleHosts.ts"
import { startConsoleInstance } from "./support/consoleInstance.ts"
import { fillOperations, operationsOptions } from "./support/operations.ts"
import { canOpenBrowser, openBrowser } from "./support/openBrowser.ts"

const planned = encodeURIComponent(
  JSON.stringify({
    model: "demo/model",
    messages: [{ role: "user", content: "Hi" }],
    provider: { only: ["steady"] }
  })
)

/** Each page by its address, and a text that it shows once it has data. */
const pages = [
  ["overview", "Open incidents"],
  ["now", "demo/model@steady"],
  ["requests", "demo/model"],
  ["requests?list=refused", "req-refused"],
  ["sessions", "Sessions by their latest request"],
  [`route?request=${planned}`, "If one preference is dropped"],
  ["incidents", "When providers failed"],
  ["fleet", "answers this page"],
  ["models", "demo/model"],
  ["providers", "Overloaded"],
  ["providers/overloaded", "recorded requests of the last hour"],
  ["spend", "Limit of the key"],
  ["jobs", "video.generation.completed"],
  ["presets", "@preset/calm"],
  ["presets/calm", "Requests"],
  ["interns", "broken"],
  ["keys", "key.create"],
  ["guardrails", "member ada"],
  ["byok", "There is no credential of your own."],
  ["customers", "There is no customer."],
  ["experiments", "There is no experiment."],
  ["calibration", "It is not known yet"],
  ["webhooks", "Latest event"],
  ["users", "Last active"],
  ["members", "Members of"],
  ["playground", "Requests cost as any request"],
  ["nowhere", "There is no such page"]
] as const

/** Dialogs by their page, a text on that, and the beginning of the name of their button. */
const dialogs = [
  ["overview", "Open incidents", "Go to"],
  ["overview", "Open incidents", "Keys"],
  ["requests", "demo/model", "From … to"],
  ["spend", "Limit of the key", "Set a budget"],
  ["spend", "Limit of the key", "Change: "],
  ["jobs", "in progress", "Cancel job: "],
  ["interns", "broken", "Suspend: runner"],
  ["keys", "team 20", "Create key"],
  ["keys", "team 20", "Edit: "],
  ["keys", "team 20", "Rotate: "],
  ["keys", "team 20", "Disable key: "],
  ["keys", "team 20", "Delete key: "],
  ["guardrails", "member ada", "Create guardrail"],
  ["guardrails", "member ada", "Assign: "],
  ["byok", "There is no credential of your own.", "Add credential"],
  ["customers", "There is no customer.", "Create customer"],
  ["webhooks", "Latest event", "Change webhook"],
  ["members", "Members of", "Add members"],
  ["providers/overloaded", "recorded requests of the last hour", "Drain"]
] as const

const titles = [
  "Overview",
  "Now",
  "Requests",
  "Sessions",
  "Jobs",
  "Incidents",
  "Fleet",
  "Spend",
  "Customers",
  "Models",
  "Providers",
  "Route",
  "Experiments",
  "Calibration",
  "Playground",
  "Presets",
  "Interns",
  "Keys & audit",
  "Guardrails",
  "Own credentials",
  "Webhooks",
  "Users",
  "Members"
]

const phone = 400
const desktop = 1_280
const screens = pickScope({
  full: (["dark", "light"] as const).flatMap((scheme) =>
    [phone, desktop].map((width) => ({ scheme, width }))
  ),
  sample: [
    { scheme: "dark" as const, width: phone },
    { scheme: "light" as const, width: desktop }
  ]
})

/** The focused element, and how it is outlined. */
const describeFocus = `document.activeElement.outerHTML.slice(0, 80) + ": " +
  getComputedStyle(document.activeElement).outlineStyle`

describe.skipIf(!canOpenBrowser)("the console (CHROME_PATH names another browser)", () => {
  let browser: Browser
  let instance: Instance
  let receiver: AsyncDisposable
  let running: Awaited<ReturnType<(typeof browserHosts)[number]["start"]>>
  let console: string
  beforeAll(async () => {
    browser = await openBrowser()
    instance = await startConsoleInstance(operationsOptions)
    receiver = await fillOperations(instance)
    running = await browserHosts[0]!.start(makeOpenConsole(instance), consoleMount)
    console = `${running.origin}${consoleMount}/`
  })
  afterAll(async () => {
    await browser?.close()
    await running?.close()
    await instance?.close()
    await receiver?.[Symbol.asyncDispose]()
  })

  const findRequest = async (): Promise<string> => {
    const { data } = await instance.generations.list({ model: "demo/model", limit: 1 })
    return data[0]!.id
  }

  describe.each(screens)("$scheme, $width pixels wide", (screen) => {
    it.each(pages)("has no serious violation on %s", async (hash, waitFor) => {
      const found = await auditAccessibility(browser, `${console}#/${hash}`, { ...screen, waitFor })
      expect(found).toEqual([])
    })

    it.each(dialogs)(
      "has no serious violation on %s, where %s, in %s",
      async (hash, waitFor, opens) => {
        const url = `${console}#/${hash}`
        expect(await auditAccessibility(browser, url, { ...screen, opens, waitFor })).toEqual([])
      }
    )

    it.each(["requests/", "requests?open="])("has no serious violation on %s", async (hash) => {
      const url = `${console}#/${hash}${await findRequest()}`
      const waitFor = "demo/model@overloaded"
      expect(await auditAccessibility(browser, url, { ...screen, waitFor })).toEqual([])
    })
  })

  it("is used by the keyboard alone", async () => {
    await using tab = await BrowserTab.open(browser, console)
    await tab.goTo("#/keys")
    const { keyboard } = tab.page
    const read = async (expression: string) => String(await tab.page.evaluate(expression))
    /** Presses a key until the focus is on what `selector` and the beginning of its name say. */
    const moveTo = async (key: "Shift+Tab" | "Tab", selector: string, name: string) => {
      const isThere = `((focused) => focused.matches(${JSON.stringify(selector)}) &&
        (focused.ariaLabel ?? focused.textContent).startsWith(${JSON.stringify(name)}))(document.activeElement)`
      for (let presses = 0; !(await tab.page.evaluate(isThere)); presses++) {
        if (presses > 200) throw new Error(`${key} does not lead to ${name}`)
        if (key === "Shift+Tab") await keyboard.down("Shift")
        await keyboard.press("Tab")
        if (key === "Shift+Tab") await keyboard.up("Shift")
        // The focus must be visible to users of the keyboard.
        expect(await read(describeFocus)).toMatch(/: solid$/)
      }
    }

    for (const title of titles) {
      await moveTo(title === "Overview" ? "Tab" : "Shift+Tab", "nav a", title)
      await keyboard.press("Enter")
      await tab.page.waitForFunction(
        `document.querySelector("h1")?.textContent === ${JSON.stringify(title)}`
      )
      // The next key leads into the page.
      await tab.page.waitForFunction(`document.activeElement.localName === "main"`)
    }

    await tab.goTo("#/requests?model=demo%2Fmodel")
    await tab.page.waitForSelector("tbody a")
    const list = await read("location.hash")
    await moveTo("Tab", "tbody a", "")
    const row = await read("document.activeElement.hash")
    await keyboard.press("Enter")
    await tab.waitFor("demo/model@overloaded")
    // It is beside the list, whose filters stay.
    const id = row.slice("#/requests/".length)
    expect(await read("location.hash")).toBe(`${list}&open=${id}`)
    await keyboard.press("Escape")
    await tab.page.waitForFunction(`document.activeElement.hash === ${JSON.stringify(row)}`)
    expect(await read("location.hash")).toBe(list)

    await tab.goTo("#/keys")
    await tab.waitFor("team 13")
    await moveTo("Tab", "button", "Disable key: team 13 ")
    await keyboard.press("Enter")
    await tab.waitFor("Disable key?")
    await keyboard.press("Escape")
    await tab.page.waitForSelector("dialog[open]", { hidden: true })
    expect(await read("document.activeElement.ariaLabel")).toContain("Disable key: team 13 ")
    expect(tab.problems).toEqual([])
  })

  it("reports what violates it", async () => {
    const url = `data:text/html,<html lang="en"><title>t</title><main><h1>h</h1><p style="color:%23aaa">pale</p><input></main>`
    const found = await auditAccessibility(browser, url, {
      scheme: "light",
      waitFor: "pale",
      width: 400
    })
    expect(found.join("\n")).toMatch(/^color-contrast [^]*\nlabel /)
  })
})
