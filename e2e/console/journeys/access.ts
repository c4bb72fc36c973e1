import { expect } from "vitest"
import { hostile } from "../support/consoleInstance.ts"
import { act } from "./act.ts"
import { close, fill, submit, undo, waitForPreview } from "./dialogs.ts"
import type { Journey } from "./Journey.ts"

export const access: ReadonlyArray<Journey> = [
  {
    title: "A guardrail is made, assigned, changed, put back and deleted",
    run: async (tab) => {
      await tab.goTo("#/guardrails")
      await tab.waitFor(hostile)
      // Assigned when the instance was filled.
      await tab.waitFor("member ada")
      await tab.click("Create guardrail")
      await fill(tab, "Name", "no giants")
      await fill(tab, "Forbidden models", "demo/giant, demo/film")
      await waitForPreview(tab, "no effect until it is assigned")
      await submit(tab, "The guardrail is made")
      await close(tab)
      await tab.waitFor("no models demo/giant, demo/film")

      await tab.page.locator('[aria-label="Assign: no giants"]').click()
      await fill(tab, "Members", "bo")
      await submit(tab, "The guardrail is assigned.")
      await close(tab)
      await tab.waitFor("member bo")

      await tab.page.locator('[aria-label="Edit: no giants"]').click()
      await fill(tab, "Limit in USD", "3")
      await waitForPreview(tab, "Limit in USD of each key and member: none → 3")
      await submit(tab, "The guardrail is changed.")
      await undo(tab, "The guardrail is as it was.")
      await close(tab)

      await act(tab, "Unassign: no giants", "Yes, unassign", "does not bind it any more")
      const result = "The guardrail is deleted"
      await act(tab, "Delete guardrail: no giants", "Yes, delete guardrail", result)
      await tab.page.waitForSelector('[aria-label="Edit: no giants"]', { hidden: true })
    }
  },
  {
    title: "A credential is added, changed and deleted, and its secret is never shown",
    run: async (tab) => {
      await tab.goTo("#/byok")
      await tab.waitFor("There is no credential of your own.")
      await tab.click("Add credential")
      await fill(tab, "Provider", "steady")
      await fill(tab, "Secret", "sk-of-a-customer-4417")
      await waitForPreview(tab, "Secret: a new secret")
      expect(await tab.text()).not.toContain("sk-of-a-customer-4417")
      await submit(tab, "The credential is used from now on.")
      await close(tab)
      await tab.page.locator('[aria-label^="Edit: steady"]').click()
      await fill(tab, "Name", hostile)
      await submit(tab, "The credential is changed.")
      await close(tab)
      await tab.waitFor(hostile)
      expect(await tab.page.content()).not.toContain("sk-of-a-customer-4417")
      const result = "The credential is deleted"
      await act(tab, "Delete credential: steady", "Yes, delete credential", result)
      await tab.waitFor("There is no credential of your own.")
    }
  },
  {
    title: "A customer is made with its key, suspended, resumed and deleted",
    run: async (tab) => {
      await tab.goTo("#/customers")
      await tab.click("Create customer")
      await fill(tab, "Slug", "acme")
      await fill(tab, "Name", hostile.slice(0, 60))
      await fill(tab, "Bundle", "basic")
      await waitForPreview(tab, "limits and rights of the bundle basic")
      await submit(tab, "The customer is made.")
      expect(await tab.text()).toMatch(/sk-\w+/)
      await close(tab)
      await tab.waitFor(hostile.slice(0, 60))
      await tab.page.locator('[aria-label^="Suspend: "]').click()
      await fill(tab, "Reason", "unpaid")
      await submit(tab, "Its requests are refused from now on.")
      await close(tab)
      await tab.waitFor("unpaid")
      await act(tab, "Resume: ", "Yes, resume", "Its requests are answered again.")
      await tab.page.waitForSelector('[aria-label^="Suspend: "]')
      const result = "The customer is deleted."
      await act(tab, "Delete customer: ", "Yes, delete customer", result)
      await tab.waitFor("There is no customer.")
    }
  }
]
