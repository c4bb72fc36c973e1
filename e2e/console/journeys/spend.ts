import { expect } from "vitest"
import { hostile } from "../support/consoleInstance.ts"
import type { Journey } from "./Journey.ts"

export const spend: ReadonlyArray<Journey> = [
  {
    title:
      "Spend says who spends most, on what, against before, and where it ends, in three clicks",
    run: async (tab) => {
      await tab.goTo("#/now")
      await tab.page.locator('nav a[href="#/spend"]').click()
      await tab.waitFor("Spent since")
      await tab.waitFor("Forecast for")
      await tab.waitFor("Month before")
      await tab.click("Workspace")
      await tab.waitFor("Cost by workspace")
      await tab.waitFor("Before")
      await tab.click("With models")
      await tab.waitFor("Mostly on")
    }
  },
  {
    title: "Spend says which key is near its limit in one click",
    run: async (tab) => {
      await tab.goTo("#/now")
      await tab.page.locator('nav a[href="#/spend"]').click()
      await tab.waitFor("Limits of keys")
      await tab.waitFor("Spent at this rate")
      await tab.page.waitForSelector('.table[aria-label="Limits of keys"] tbody tr')
      // What runs out first is on top.
      const shares = await tab.page.$$eval('.table[aria-label="Limits of keys"] tbody tr', (rows) =>
        rows.map((row) => Number(/([\d.]+) %/.exec(row.textContent)?.[1] ?? 0))
      )
      expect(shares).toEqual(shares.toSorted((one, other) => other - one))
    }
  },
  {
    title: "Spend shows every limit, and the cost by every dimension",
    run: async (tab) => {
      await tab.goTo("#/spend")
      await tab.waitFor("Cost by model")
      // Requests that are minutes old are not shown as one bar of a day.
      expect(await tab.text()).not.toContain("A bar is a day")
      await tab.waitFor("Credits of the account")
      await tab.waitFor("Budget of the workspace")
      // A key, a user under a guardrail of this name, and the same user as a member.
      await tab.waitFor(`the key ${hostile}`)
      await tab.waitFor(`Guardrail ${hostile}`)
      await tab.waitFor("the user ada")
      // Exact, beyond the cent. How much it is depends on what other journeys have spent.
      const exact = await tab.page.$$eval('[title^="$0."]', (amounts) =>
        amounts.map((amount) => amount.getAttribute("title"))
      )
      expect(exact).toContainEqual(expect.stringMatching(/^\$0\.\d{4,}/))

      await tab.waitFor("Saved by the response cache")
      await tab.waitFor("50 % hits")
      await tab.waitFor("Cache hits")

      await tab.click("User")
      await tab.waitFor("Cost by user")
      await tab.waitFor(hostile)
      await tab.click("Provider")
      await tab.waitFor("Cost by provider")
      await tab.waitFor("Attempts")
      // No list has the attempts that failed at a provider.
      expect(await tab.page.$$(`a[href*="provider="][href*="outcome=failed"]`)).toEqual([])
      // The table behind the first chart.
      await tab.page.locator("figure summary").click()
      await tab.page.waitForSelector("figure details[open] table")
    }
  },
  {
    title: "Spend leads to the requests behind a figure",
    run: async (tab) => {
      await tab.goTo("#/spend?by=model&range=24h")
      await tab.waitFor("Cost by model")
      await tab.page.locator('td a[href^="#/requests?model=demo%2Fmodel"]').click()
      await tab.page.waitForFunction(`location.hash === "#/requests?model=demo%2Fmodel&range=24h"`)
      await tab.waitFor("Requests")
    }
  },
  {
    title: "Spend names keys in its chart when their names arrive after the figures",
    run: async (tab) => {
      const { page } = tab
      const arrived = Promise.withResolvers<void>()
      await page.setRequestInterception(true)
      page.on("request", (request) => {
        const isNames = request.url().includes("/api/v1/keys?")
        void (isNames ? arrived.promise : Promise.resolve()).then(() => request.continue())
      })
      await tab.goTo("#/spend?by=key")
      await page.waitForSelector(".legend li")
      arrived.resolve()
      await page.waitForFunction(
        `document.querySelector(".legend")?.innerText.includes(${JSON.stringify(hostile)})`
      )
    }
  }
]
