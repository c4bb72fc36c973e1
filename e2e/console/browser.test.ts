import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest"
import { consoleRoutes } from "@signalbox/console"
import type { Signalbox as Instance } from "@signalbox/core"
import { Signalbox } from "@signalbox/node"
import type { Browser } from "puppeteer-core"
import { pickScope } from "../../vitest.scope.ts"
import { journeys } from "./journeys/index.ts"
import type { Journey } from "./journeys/Journey.ts"
import { operationJourneys } from "./journeys/operations.ts"
import { BrowserTab } from "./support/BrowserTab.ts"
import { browserHosts, consoleMount, makeOpenConsole } from "./support/consoleHosts.ts"
import { hostile, startConsoleInstance } from "./support/consoleInstance.ts"
import { fillOperations, operationsOptions } from "./support/operations.ts"
import { canOpenBrowser, openBrowser } from "./support/openBrowser.ts"

/** Pixels: a phone, and a screen. */
const widths = pickScope({ full: [400, 1_280], sample: [400] })

/** What pages without data say of how to get it. */
const hintsByPage = {
  overview: ["First steps", "Serve a model", "Create a key here", "Set the first budget"],
  spend: ["POST /api/v1/chat/completions", "Spending is unlimited here", "No key has a limit"],
  jobs: ["POST /api/v1/videos", "/webhook", "None. A step whose retries"],
  presets: ["POST /api/v1/presets/my-preset/chat/completions"],
  interns: ["POST /api/v1/interns"],
  keys: ["POST /api/v1/keys", "Nothing has been changed yet"],
  guardrails: ["POST /api/v1/guardrails"],
  byok: ["POST /api/v1/byok"],
  customers: ["POST /api/v1/signalbox/customers"],
  users: ["No request of this time had a user."]
}

describe.skipIf(!canOpenBrowser).each(browserHosts)(
  "in $name, in a browser (CHROME_PATH names another)",
  (host) => {
    let browser: Browser
    let instance: Instance
    let running: Awaited<ReturnType<typeof host.start>>
    let operated: Instance
    let operating: Awaited<ReturnType<typeof host.start>>
    let receiver: AsyncDisposable
    beforeAll(async () => {
      browser = await openBrowser()
      instance = await startConsoleInstance()
      running = await host.start(makeOpenConsole(instance), consoleMount)
      operated = await startConsoleInstance(operationsOptions)
      receiver = await fillOperations(operated)
      operating = await host.start(makeOpenConsole(operated), consoleMount)
    })
    afterAll(async () => {
      await browser?.close()
      await running?.close()
      await instance?.close()
      await operating?.close()
      await operated?.close()
      await receiver?.[Symbol.asyncDispose]()
    })

    /** Returns what the browser complained about. */
    const travel = async ({ run }: Journey, origin: string, width: number) => {
      await using tab = await BrowserTab.open(browser, `${origin}${consoleMount}/`, width)
      await run(tab)
      // Text of others has not become markup.
      expect(await tab.page.title()).toMatch(/Signalbox$/)
      // The page itself does not scroll sideways.
      expect(await tab.measureOverflow()).toBe(0)
      return tab.problems
    }

    describe.each(widths)("%i pixels wide", (width) => {
      it.each(journeys)("$title", async (journey) => {
        expect(await travel(journey, running.origin, width)).toEqual([])
      })
      it.each(operationJourneys)("$title", async (journey) => {
        expect(await travel(journey, operating.origin, width)).toEqual([])
      })
    })

    it("offers no action where the console is read-only, and says so", async () => {
      const readOnly = await host.start(
        consoleRoutes(operated, { authorize: () => ({ user: hostile }) }),
        consoleMount
      )
      onTestFinished(readOnly.close)
      await using tab = await BrowserTab.open(browser, `${readOnly.origin}${consoleMount}/`)
      for (const [page, row] of [
        ["jobs", "in progress"],
        ["interns", "runner"],
        ["keys", "team 20"]
      ] as const) {
        await tab.goTo(`#/${page}`)
        await tab.waitFor(row)
        expect(await tab.text()).toContain("This console is read-only")
        expect(await tab.page.$$("main dialog")).toEqual([])
      }
      expect(tab.problems).toEqual([])
    })

    it.each([
      ["a redirect", () => new Response(null, { status: 302, headers: { location: "/login" } })],
      ["nothing", () => null],
      ["a page", () => new Response("<h1>Login</h1>", { headers: { "content-type": "text/html" } })]
    ])("leads to the login again where the host answers with %s", async (_, refuse) => {
      let isSignedIn = true
      const guarded = await host.start(
        consoleRoutes(instance, { authorize: () => (isSignedIn ? { user: "ada" } : refuse()) }),
        consoleMount
      )
      onTestFinished(guarded.close)
      await using tab = await BrowserTab.open(browser, `${guarded.origin}${consoleMount}/`)
      await tab.goTo("#/requests")
      await tab.waitFor("demo/model")
      isSignedIn = false
      await tab.click("Refresh")
      await tab.waitFor("You are not signed in any more.")
      expect(await tab.text()).not.toContain("Try again")
      // What was opened before goes to the login, or says why there is none.
      const [answer] = await Promise.all([
        tab.page.waitForNavigation(),
        tab.page.locator("::-p-text(Sign in again)").click()
      ])
      expect(answer?.url()).toMatch(/\/(login|console\/)(#.*)?$/)
      expect(await tab.text()).not.toContain("Sign in again")
    })

    it("leaves room for navigation and columns beside long names", async () => {
      const model = `demo/${"long-".repeat(30)}`
      const long = await startConsoleInstance({
        models: [
          {
            id: model,
            endpoints: [{ provider: "steady", price: { prompt: "0", completion: "0" } }]
          }
        ]
      })
      const guarded = await host.start(
        consoleRoutes(long, { authorize: () => ({ user: `\u202e${"x".repeat(150)}` }) }),
        consoleMount
      )
      onTestFinished(async () => {
        await guarded.close()
        await long.close()
      })
      await long.chat({ model, messages: [{ role: "user", content: "Hello" }] })
      await using tab = await BrowserTab.open(browser, `${guarded.origin}${consoleMount}/`)
      await tab.goTo("#/requests")
      await tab.waitFor(model)
      const isWithin = (selector: string) =>
        tab.page.$eval(selector, ({ clientWidth, scrollWidth }) => scrollWidth <= clientWidth)
      expect(await isWithin("nav")).toBe(true)
      expect(await isWithin('.table[aria-label^="Requests"]')).toBe(true)
      expect(await tab.text()).toContain(String.raw`\u202exxx`)
    })

    it("leads through thousands of endpoints, and asks for no more than it shows", async () => {
      const long = await startConsoleInstance({
        models: Array.from({ length: 1_000 }, (_, at) => ({
          id: `many/model-${at}`,
          endpoints: ["overloaded", "steady"].map((provider) => ({
            provider,
            price: { prompt: "0", completion: "0" }
          }))
        }))
      })
      const started = await host.start(makeOpenConsole(long), consoleMount)
      onTestFinished(async () => {
        await started.close()
        await long.close()
      })
      await using tab = await BrowserTab.open(browser, `${started.origin}${consoleMount}/`)
      const asked: Array<string> = []
      tab.page.on("request", (request) => asked.push(request.url()))
      await tab.goTo("#/now")
      await tab.waitFor("2,002 endpoints")
      const countRows = async () => (await tab.page.$$('[aria-label="Endpoints"] tbody tr')).length
      expect(await countRows()).toBe(25)
      await tab.click("Next")
      await tab.waitFor("26 to 50")
      await tab.page.type("input[type=search]", "MODEL-999 steady")
      await tab.waitFor("1 endpoint")
      await tab.page.waitForFunction(
        `document.querySelectorAll('[aria-label="Endpoints"] tbody tr').length === 1`
      )
      expect(await tab.text()).toContain("many/model-999@steady")
      await tab.page.select("main select", "open")
      await tab.waitFor("No endpoint matches.")
      const events = asked.filter((url) => url.includes("/endpoints"))
      expect(events.filter((url) => !url.includes("limit="))).toEqual([])
      expect(tab.problems).toEqual([])
    })

    it("says how to get data where there is none", async () => {
      const empty = await Signalbox.make({ upstreams: [], models: [] })
      const started = await host.start(makeOpenConsole(empty), consoleMount)
      onTestFinished(async () => {
        await started.close()
        await empty.close()
      })
      await using tab = await BrowserTab.open(browser, `${started.origin}${consoleMount}/`)
      for (const [page, hints] of Object.entries(hintsByPage)) {
        await tab.goTo(`#/${page}`)
        for (const hint of hints) await tab.waitFor(hint)
      }
      expect(tab.problems).toEqual([])
    })
  }
)
