import type { Journey } from "./Journey.ts"

export const savedViews: ReadonlyArray<Journey> = [
  {
    title: "A view of requests is saved, opened and deleted",
    run: async (tab) => {
      const { page } = tab
      await tab.goTo("#/requests?model=demo%2Fmodel&min_cost=0.0001&sort=cost")
      await page.locator(".views summary").click()
      // Another width saves one of this name, too.
      const name = `dear ${Date.now()}`
      await page.locator(".views form input").fill(name)
      await tab.click("Save view")
      await tab.waitFor(`Saved as ${name}.`)
      await tab.goTo("#/now")
      await tab.goTo("#/requests")
      await page.locator(".views summary").click()
      await tab.click(name)
      await page.waitForFunction(
        `/min_cost=0.0001/.test(location.hash) && /sort=cost/.test(location.hash)`
      )
      await page.waitForSelector("tbody a[href^='#/requests/gen-']")
      await tab.click(`Delete view: ${name}`)
      await tab.waitFor("It goes for every operator of this workspace")
      await tab.click("Yes, delete view")
      await tab.waitFor(`${name} is deleted.`)
      await tab.click("Close")
      await page.waitForFunction(
        `!Array.from(document.querySelectorAll(".views a")).some((link) => link.textContent === ${JSON.stringify(name)})`
      )
    }
  }
]
