/** Which provider fails, since when, who was affected, and what happens if one goes down: in at most three clicks. */
import { consoleRoutes } from "@signalbox/console"
import type { Signalbox as Instance } from "@signalbox/core"
import type { Browser } from "puppeteer-core"
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest"
import { act } from "./journeys/act.ts"
import { BrowserTab } from "./support/BrowserTab.ts"
import { browserHosts, consoleMount } from "./support/consoleHosts.ts"
import { hostile } from "./support/consoleInstance.ts"
import { startFailingInstance } from "./support/failingInstance.ts"
import { canOpenBrowser, openBrowser } from "./support/openBrowser.ts"

describe.skipIf(!canOpenBrowser)("incidents and providers, in a browser", () => {
  const [host] = browserHosts
  let browser: Browser
  let instance: Instance
  beforeAll(async () => {
    browser = await openBrowser()
    instance = await startFailingInstance()
  })
  afterAll(async () => {
    await browser?.close()
    await instance?.close()
  })

  /** With every problem of the browser. */
  const open = async (options: Partial<Parameters<typeof consoleRoutes>[1]>, width: number) => {
    const running = await host!.start(
      consoleRoutes(instance, { authorize: () => ({ user: "ada" }), ...options }),
      consoleMount
    )
    onTestFinished(running.close)
    const tab = await BrowserTab.open(browser, `${running.origin}${consoleMount}/`, width)
    onTestFinished(() => tab[Symbol.asyncDispose]())
    return tab
  }

  it.each([400, 1_280])(
    "answers which provider fails, since when, and who was affected, %i pixels wide",
    async (width) => {
      const tab = await open({}, width)
      await tab.goTo()
      await tab.click("Incidents")
      // The overview says a part of the sentence, too.
      await tab.page.waitForSelector('nav a[href="#/incidents"][aria-current="page"]')
      // The name of the other provider is markup.
      await tab.waitFor(`traffic moved to ${hostile}`)
      const text = await tab.text()
      expect(text).toContain("Overloaded failing since")
      expect(text).toContain("1 user affected (12 requests without an answer)")
      await tab.page.locator(".incident summary").click()
      await tab.waitFor("10 of 10 failed")
      expect(await tab.text()).toContain("demo/single@overloaded")
      expect(await tab.measureOverflow()).toBe(0)
      await tab.page.locator('a[href*="outcome=failed"]').click()
      await tab.page.waitForFunction(
        `document.querySelectorAll('tbody a[href^="#/requests/gen-"]').length > 0`
      )
      expect(await tab.page.title()).toMatch(/Signalbox$/)
      expect(tab.problems).toEqual([])
    }
  )

  it.each([400, 1_280])("begins with what fails now, %i pixels wide", async (width) => {
    const tab = await open({}, width)
    await tab.goTo()
    await tab.page.waitForSelector("[role=alert]")
    const alert = String(
      await tab.page.evaluate(`document.querySelector("[role=alert]")?.innerText`)
    )
    expect(alert).toMatch(/^Overloaded failing since .*, 1 user affected/s)
    await tab.page.waitForFunction(
      `document.querySelector(".strip li")?.innerText.startsWith("Overloaded")`
    )
    expect(await tab.measureOverflow()).toBe(0)
    await tab.page.locator("[role=alert] a").click()
    await tab.waitFor("When providers failed")
    expect(await tab.page.evaluate("location.hash")).toBe("#/incidents?provider=overloaded")
    expect(tab.problems).toEqual([])
  })

  it.each(["requests", "now", "spend?range=1h"])(
    "marks deployments and incidents in the charts of %s, which share a cursor",
    async (hash) => {
      const tab = await open({}, 1_280)
      await tab.goTo(`#/${hash}`)
      await tab.waitFor("Overloaded fails")
      await tab.waitFor("a process started with version")
      await tab.page.waitForFunction(`document.querySelectorAll(".plot canvas").length >= 2`)
      await tab.page.locator(".plot canvas").hover()
      // Each of them reads the time under the cursor.
      await tab.page.waitForFunction(`(() => {
        const read = Array.from(document.querySelectorAll(".chart-at"), (at) => at.textContent)
        return read.length >= 2 && read[0] !== "" && read.every((text) => text === read[0])
      })()`)
      expect(await tab.measureOverflow()).toBe(0)
      expect(tab.problems).toEqual([])
    }
  )

  it("answers what happens if a provider goes down", async () => {
    const tab = await open({}, 1_280)
    await tab.goTo()
    await tab.click("Providers")
    await tab.waitFor("All providers")
    await tab.page.locator('a[href="#/providers/overloaded"]').click()
    await tab.waitFor("1 model loses all endpoints")
    const text = await tab.text()
    expect(text).toContain("12 of 27 requests have nowhere to go")
    expect(text).toContain("% cost")
    expect(text).toContain('This console is read-only. With allow: ["traffic"]')
    expect(await tab.page.$$("main dialog")).toEqual([])
    expect(tab.problems).toEqual([])
  })

  it("drains a provider after it said what that would do, and puts it back", async () => {
    const tab = await open({ allow: ["traffic"] }, 1_280)
    await tab.goTo("#/providers/overloaded")
    await tab.page.locator('[aria-label^="Drain"]').click()
    await tab.page.locator("dialog[open] ::-p-text(1 model loses all endpoints)").wait()
    await tab.page.locator("dialog[open] ::-p-text(Yes, drain)").click()
    await tab.waitFor("It holds in all processes")
    await tab.page.locator("dialog[open] ::-p-text(Undo)").click()
    await tab.waitFor("It is as it was before.")
    await tab.page.locator("dialog[open] ::-p-text(Close)").click()
    expect((await instance.traffic.listControls()).data).toMatchObject([{ state: "active" }])
    await tab.page.locator('[aria-label^="Drain"]').click()
    await tab.page.locator("dialog[open] ::-p-text(Yes, drain)").click()
    await tab.waitFor("It holds in all processes")
    await tab.page.locator("dialog[open] ::-p-text(Close)").click()
    await tab.waitFor("drained")
    expect((await instance.traffic.listControls()).data).toMatchObject([
      { kind: "provider", id: "overloaded", state: "drained" }
    ])
    await tab.page.locator('[aria-label^="Put back"]').wait()
    await act(tab, "Put back", "Yes, put back", "It holds in all processes")
    await tab.waitFor("in service")
    expect((await instance.audit.list({})).data[0]).toMatchObject({ action: "traffic_control.set" })
    expect(tab.problems).toEqual([])
  })

  it.each([400, 1_280])("lists models with prices and health, %i pixels wide", async (width) => {
    const tab = await open({}, width)
    await tab.goTo("#/models")
    await tab.waitFor("demo/single")
    expect(await tab.text()).toContain("failing")
    await tab.page.type("input[type=search]", "SINGLE")
    await tab.page.waitForFunction(`!document.body.innerText.includes("demo/model")`)
    await tab.goTo("#/providers")
    await tab.waitFor(hostile)
    expect(await tab.measureOverflow()).toBe(0)
    expect(await tab.page.title()).toMatch(/Signalbox$/)
    expect(tab.problems).toEqual([])
  })

  it("filters incidents by state, and says that there is none", async () => {
    const tab = await open({}, 1_280)
    await tab.goTo("#/incidents")
    await tab.waitFor("failing since")
    await tab.page.select("main select", "ended")
    await tab.waitFor("No incident matches.")
    await tab.goTo("#/incidents?provider=steady")
    await tab.waitFor("Only of steady.")
    await tab.click("Show all")
    await tab.waitFor("failing since")
    expect(tab.problems).toEqual([])
  })
})
