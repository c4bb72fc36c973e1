/** Whether a canary is better, and how far probabilities can be trusted: in two clicks, as sentences. */
import { consoleRoutes } from "@signalbox/console"
import type { Signalbox as Instance } from "@signalbox/core"
import { Signalbox } from "@signalbox/node"
import type { Browser } from "puppeteer-core"
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest"
import { waitUntil } from "../support/waitUntil.ts"
import { act } from "./journeys/act.ts"
import { auditAccessibility } from "./support/auditAccessibility.ts"
import { BrowserTab } from "./support/BrowserTab.ts"
import { browserHosts, consoleMount, makeOpenConsole } from "./support/consoleHosts.ts"
import { startExperimentsInstance } from "./support/experimentsInstance.ts"
import { canOpenBrowser, openBrowser } from "./support/openBrowser.ts"

describe.skipIf(!canOpenBrowser)("experiments and calibration, in a browser", () => {
  const [host] = browserHosts
  let browser: Browser
  let instance: Instance
  beforeAll(async () => {
    browser = await openBrowser()
    instance = await startExperimentsInstance()
    await waitUntil(
      async () =>
        (await instance.experiments.list()).data.some(({ status }) => status === "rolled_back"),
      "the canary that fails is not rolled back"
    )
  })
  afterAll(async () => {
    await browser?.close()
    await instance?.close()
  })

  const start = async (console: ReturnType<typeof makeOpenConsole>) => {
    const running = await host!.start(console, consoleMount)
    onTestFinished(running.close)
    return `${running.origin}${consoleMount}/`
  }
  const open = async (console: ReturnType<typeof makeOpenConsole>, width: number) => {
    const tab = await BrowserTab.open(browser, await start(console), width)
    onTestFinished(() => tab[Symbol.asyncDispose]())
    return tab
  }

  it.each([400, 1_280])("answers whether the canary is better, %i pixels wide", async (width) => {
    const tab = await open(makeOpenConsole(instance), width)
    await tab.goTo()
    await tab.click("Experiments")
    await tab.waitFor("Is the canary better? Yes: demo/cheap fails as rarely")
    const text = await tab.text()
    expect(text).toContain("costs −80 % per request")
    expect(text).toContain("$0.000199 to $0.000201")
    expect(text).toContain("Is the canary better? No: demo/broken was rolled back, because 100.0 %")
    expect(text).toContain("Would the shadow answer the same?")
    // The requested model never fails, so the line is at 5 points.
    expect(text).toContain("rolled back above 5.0 %")
    expect(await tab.measureOverflow()).toBe(0)
    expect(await tab.page.title()).toMatch(/Signalbox$/)
    expect(tab.problems).toEqual([])
  })

  it("stops an experiment, and starts it anew", async () => {
    const tab = await open(makeOpenConsole(instance), 1_280)
    await tab.goTo("#/experiments")
    const about = "demo/cheap to demo/usual"
    await act(tab, `Stop experiment: ${about}`, "Yes, stop experiment", "is stopped")
    await tab.waitFor("stopped by hand")
    await act(tab, `Restart experiment: ${about}`, "Yes, restart experiment", "runs again")
    await tab.page.waitForSelector(`[aria-label="Stop experiment: ${about}"]`)
    const { data } = await instance.audit.list({ limit: 2 })
    expect(data).toMatchObject([
      { action: "experiment.restart", actor: { user_id: "operator" } },
      { action: "experiment.stop", actor: { user_id: "operator" } }
    ])
    expect(tab.problems).toEqual([])
  })

  it("offers no action where the console is read-only", async () => {
    const tab = await open(consoleRoutes(instance, { authorize: () => ({ user: "ada" }) }), 400)
    await tab.goTo("#/experiments")
    await tab.waitFor("This console is read-only")
    await tab.waitFor("Is the canary better?")
    expect(await tab.page.$$("main dialog")).toEqual([])
    expect(tab.problems).toEqual([])
  })

  it.each([400, 1_280])(
    "answers how far probabilities can be trusted, %i pixels wide",
    async (width) => {
      const tab = await open(makeOpenConsole(instance), width)
      await tab.goTo()
      await tab.click("Calibration")
      await tab.waitFor("How far can I trust the probabilities? To within")
      const text = await tab.text()
      // It says 90 %, and is right in 70 of 100 cases.
      expect(text).toContain(
        "as far as 60 labels can tell. Without calibration, they are off by 20.0 points."
      )
      expect(text).toMatch(/About \d+ more labels are wanted/)
      expect(await tab.page.$$(".reliability circle")).not.toEqual([])
      expect(await tab.measureOverflow()).toBe(0)
      await tab.page.locator(".reliability summary").click()
      await tab.waitFor("Right in")
      await tab.page.select("main select", "score")
      await tab.waitFor("It is not known yet")
      expect(tab.problems).toEqual([])
    }
  )

  it("shows the probabilities of a Decision in the playground", async () => {
    const tab = await open(makeOpenConsole(instance), 400)
    await tab.goTo("#/playground")
    await tab.page.locator("form input").fill("demo/judge")
    await tab.page.select("form select", "decisions")
    await tab.click("Send")
    await tab.page.waitForFunction(
      String.raw`/leaving\s+yes 90 %/.test(document.querySelector(".answer")?.innerText)`
    )
    await tab.waitFor("billing 90 %, technical 10 %")
    await tab.waitFor("Answered by")
    await tab.click("AI SDK")
    await tab.waitFor("This client has no Decisions")
    expect(await tab.measureOverflow()).toBe(0)
    expect(tab.problems).toEqual([])
  })

  it.each([
    ["experiments", "Is the canary better?"],
    ["calibration", "How far can I trust"]
  ])("has no serious violation on %s", async (hash, waitFor) => {
    const console = await start(makeOpenConsole(instance))
    for (const [scheme, width] of [
      ["dark", 400],
      ["light", 1_280]
    ] as const) {
      const url = `${console}#/${hash}`
      expect(await auditAccessibility(browser, url, { scheme, waitFor, width })).toEqual([])
    }
  })

  it("says how to begin where there is nothing", async () => {
    const empty = await Signalbox.make({ upstreams: [], models: [] })
    onTestFinished(() => empty.close())
    const tab = await open(makeOpenConsole(empty), 400)
    await tab.goTo("#/experiments")
    await tab.waitFor("There is no experiment.")
    await tab.goTo("#/calibration")
    await tab.waitFor("label at least ten answers")
    expect(tab.problems).toEqual([])
  })
})
