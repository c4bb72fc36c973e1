import { hostile } from "../support/consoleInstance.ts"
import { act } from "./act.ts"
import type { Journey } from "./Journey.ts"

export const interns: ReadonlyArray<Journey> = [
  {
    title: "Interns shows their last failure, and suspends and provisions them",
    run: async (tab) => {
      await tab.goTo("#/interns")
      await tab.waitFor("broken")
      await tab.waitFor(hostile)
      await act(tab, "Suspend: runner", "Yes, suspend", "The intern is suspended.")
      await tab.waitFor("stopped")
      await act(tab, "Provision: runner", "Yes, provision", "Provisioning is queued")
      await tab.page.waitForSelector('[aria-label^="Suspend: runner"]')

      await tab.click("awaiting slack install")
      await tab.waitFor("No intern is awaiting slack install.")
    }
  }
]
