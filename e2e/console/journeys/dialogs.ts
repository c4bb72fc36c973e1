/** Forms in dialogs of the console. */
import type { BrowserTab } from "../support/BrowserTab.ts"

/** Fills a field of the open form by the beginning of its label. */
export const fill = (tab: BrowserTab, label: string, value: string): Promise<void> =>
  tab.page
    .locator(`dialog[open] ::-p-xpath(.//label[starts-with(., "${label}")]//input)`)
    .fill(value)

/** Waits until the form says this of what it will do. */
export const waitForPreview = async (tab: BrowserTab, text: string): Promise<void> => {
  await tab.page.waitForFunction(
    `document.querySelector("dialog[open] .preview")?.innerText.includes(${JSON.stringify(text)})`
  )
}

/** Does what the form says, and waits for the result. */
export const submit = async (tab: BrowserTab, result: string): Promise<void> => {
  await tab.page.locator("dialog[open] button[type=submit]").click()
  await tab.waitFor(result)
}

export const undo = async (tab: BrowserTab, result: string): Promise<void> => {
  await tab.page.locator("dialog[open] ::-p-text(Undo)").click()
  await tab.waitFor(result)
}

export const close = async (tab: BrowserTab): Promise<void> => {
  await tab.page.locator("dialog[open] ::-p-text(Close)").click()
  await tab.page.waitForSelector("dialog[open]", { hidden: true })
}
