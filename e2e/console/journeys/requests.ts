import { expect } from "vitest"
import { hostile } from "../support/consoleInstance.ts"
import type { Journey } from "./Journey.ts"

export const requests: ReadonlyArray<Journey> = [
  {
    title: "Requests leads in three clicks from a complaint to the reason for a route",
    run: async (tab) => {
      await tab.goTo()
      await tab.click("Requests")
      await tab.waitFor("Requests by outcome")
      await tab.waitFor("answered")
      await tab.page.locator("tbody a").click()
      await tab.waitFor("demo/model@overloaded")
      const text = await tab.text()
      expect(text).toContain("overloaded")
      expect(text).toContain("503")
      expect(text).toContain(hostile)
      expect(text).toContain(`["overloaded","steady"]`)
      expect(text).toMatch(/Answered in [\d.]+ m?s by .* after Overloaded returned 503\./)
      expect(text).toMatch(/account\s+ignore/)
      await tab.click("Explain now")
      await tab.waitFor("Tried, in this order")
      // Ordered by the preference of the request, for its prompt.
      const explained = await tab.text()
      expect(explained).toMatch(/Ordered by\s+order\s+Configuration/)
      expect(explained).toContain("for a prompt of 120 tokens")
    }
  },
  {
    title: "Requests keeps filters and a selected time in the address",
    run: async (tab) => {
      await tab.goTo("#/requests?outcome=failed")
      await tab.waitFor("No request of this time matches the filters.")
      await tab.click("Clear filters")
      await tab.waitFor("Cost by model")
      await tab.click("7d")
      await tab.page.waitForFunction(`location.hash.includes("range=7d")`)
      const plot = await tab.page.waitForSelector(".plot canvas")
      const box = await plot!.boundingBox()
      const { mouse } = tab.page
      await mouse.move(box!.x + box!.width * 0.6, box!.y + 40)
      await mouse.down()
      await mouse.move(box!.x + box!.width * 0.9, box!.y + 40, { steps: 5 })
      await mouse.up()
      await tab.page.waitForFunction(`/from=.*&to=/.test(location.hash)`)
      await tab.click("24h")
      await tab.waitFor("demo/model")
      await tab.page.locator(".chart summary").click()
      await tab.waitFor("Time")
    }
  },
  {
    title: "Requests filters by what is typed, says what is wrong with it, and sorts",
    run: async (tab) => {
      const { page } = tab
      await tab.goTo("#/requests?outcome=answered")
      const bar = 'input[list="filter-suggestions"]'
      await page.waitForFunction(`document.querySelector('${bar}')?.value === "status:answered"`)
      await page.type(bar, " latencey>2s\n")
      await tab.waitFor("There is no filter latencey. Filters are")
      await page.$eval(bar, (input) => {
        // Safe: the selector names one.
        ;(input as { value?: string }).value = ""
        input.dispatchEvent(new Event("input", { bubbles: true }))
      })
      await page.type(bar, "provider:Overloaded tokens>100 cost<$1\n")
      await page.waitForFunction(`location.hash.includes("min_tokens=101")`)
      await page.waitForSelector("tbody a[href^='#/requests/gen-']")
      await page.locator('[aria-label="Order"] ::-p-text(most expensive)').click()
      await page.waitForFunction(`location.hash.includes("sort=cost")`)
      await page.waitForSelector("tbody a[href^='#/requests/gen-']")
      await page.type(bar, " latency>1m\n")
      await tab.waitFor("No request of this time matches the filters.")
    }
  },
  {
    title: "Requests saves what the filters match as CSV",
    run: async (tab) => {
      await tab.goTo("#/requests?outcome=answered")
      await tab.page.waitForSelector("tbody a[href^='#/requests/gen-']")
      await tab.page.evaluate(`URL.createObjectURL = (blob) => {
        blob.text().then((text) => { globalThis.saved = text })
        return "data:,"
      }`)
      await tab.click("Download CSV")
      await tab.page.waitForFunction("globalThis.saved !== undefined")
      const csv = String(await tab.page.evaluate("globalThis.saved"))
      expect(csv).toMatch(/^id,created_at,request_id,/)
      expect(csv).toContain("req-answered")
      // The name of the provider has quotes.
      expect(csv).toContain(`"${hostile.replaceAll('"', '""')}"`)
    }
  },
  {
    title: "Requests finds what failed at a provider, and charts what the filters match",
    run: async (tab) => {
      await tab.goTo("#/requests?provider=Overloaded")
      await tab.waitFor("Attempts at this provider")
      await tab.page.waitForSelector("tbody a[href^='#/requests/gen-']")
      await tab.goTo("#/requests?provider=Overloaded&outcome=answered")
      await tab.waitFor("Requests that match")
      await tab.page.locator(".chart summary").click()
      // The minute of the requests is not over.
      await tab.waitFor("not over yet")
      await tab.goTo("#/requests?provider=Overloaded&outcome=failed")
      await tab.waitFor("No request of this time matches the filters.")
      await tab.page.waitForFunction(
        `/^0+$/.test([...(document.querySelector("table.data tbody")?.querySelectorAll("td") ?? [])].map(({ textContent }) => textContent).join(""))`
      )
    }
  },
  {
    title: "Requests leads back to the list with its filters",
    run: async (tab) => {
      await tab.goTo("#/requests?outcome=answered&range=24h")
      await tab.page.locator("tbody a").click()
      await tab.waitFor("Explain now")
      await tab.click("Back to the list")
      await tab.page.waitForFunction(`location.hash === "#/requests?outcome=answered&range=24h"`)
    }
  },
  {
    title: "Requests copies a request as curl",
    run: async (tab) => {
      await tab.goTo("#/requests")
      await tab.page.locator("tbody a").click()
      await tab.page.evaluate(`Object.defineProperty(navigator, "clipboard", {
        value: { writeText: async (text) => { globalThis.copied = text } }
      })`)
      await tab.click("Copy as curl")
      await tab.waitFor("Copied")
      const curl = String(await tab.page.evaluate("globalThis.copied"))
      expect(curl).toContain(`"provider":{"ignore":[`)
      expect(curl).toContain(`"order":["overloaded","steady"]`)
    }
  },
  {
    title: "Requests finds a request by its x-request-id, and why one failed without a record",
    run: async (tab) => {
      // The page of a request has a field for an id, too.
      const find = 'input[placeholder^="gen-… or"]'
      await tab.goTo("#/requests")
      await tab.page.waitForSelector(find)
      await tab.page.type(find, "req-answered\n")
      await tab.waitFor("Explain now")
      await tab.waitFor("demo/model@overloaded")
      await tab.click("Back to the list")
      await tab.page.waitForSelector(find)
      await tab.page.type(find, "req-refused\n")
      await tab.waitFor("Failed with 400")
      await tab.waitFor("messages")
      await tab.goTo("#/requests/req-unknown")
      await tab.waitFor("There is no request req-unknown.")
      // The browser reports that these have no record.
      const reported = tab.problems.splice(0)
      expect(reported.filter((problem) => !problem.includes("404"))).toEqual([])
    }
  }
]
