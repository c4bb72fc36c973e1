/** Opens the browser that comes with the development dependencies, or the one that `CHROME_PATH` names. */
import { type Browser, launch, type LaunchOptions } from "puppeteer-core"

/** Undefined where there is no browser: the package has one for Linux on x64 alone. */
export const canOpenBrowser =
  process.env["CHROME_PATH"] !== undefined ||
  (process.platform === "linux" && process.arch === "x64")

/** For global setups: workers that opened it at once would run a file that another one is still writing. */
export const unpackBrowser = async (): Promise<void> => {
  if (canOpenBrowser) await findBrowser()
}

export const openBrowser = async (): Promise<Browser> => {
  const { env, ...found } = await findBrowser()
  // The machine may have a locale that browsers do not name.
  return launch({
    headless: "shell",
    ...found,
    env: { ...env, LANG: "en_US.UTF-8", LANGUAGE: "en-US" }
  })
}

const findBrowser = async (): Promise<LaunchOptions> => {
  const executablePath = process.env["CHROME_PATH"]
  if (executablePath !== undefined) return { executablePath, env: process.env }
  unpacked ??= unpack()
  return unpacked
}

let unpacked: Promise<LaunchOptions> | undefined

const unpack = async (): Promise<LaunchOptions> => {
  const before = { ...process.env }
  // Makes the package unpack the libraries that the browser needs, too.
  process.env["AWS_LAMBDA_JS_RUNTIME"] = "nodejs22.x"
  try {
    const { default: chromium } = await import("@sparticuz/chromium")
    const executablePath = await chromium.executablePath()
    const args = ["--no-sandbox", "--lang=en-US"]
    return { executablePath, args, env: { ...process.env } }
  } finally {
    // Other processes that tests start have libraries of their own.
    for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name]
    Object.assign(process.env, before)
  }
}
