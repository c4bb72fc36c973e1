/** Runs a program of the simulation in a process of its own. */
import { spawn } from "node:child_process"
import { createInterface } from "node:readline"

/** `program` is bundled, so that nothing is loaded in the course of a world. Returns what it prints, by lines. */
export const startSimulation = async (
  program: string,
  ...flags: ReadonlyArray<string>
): Promise<ReadonlyArray<string>> => {
  const child = spawn(process.execPath, ["--max-semi-space-size=64", program, ...flags], {
    stdio: ["ignore", "pipe", "inherit"]
  })
  const lines: Array<string> = []
  for await (const line of createInterface(child.stdout)) {
    lines.push(line)
    if (line.startsWith("{")) console.log(line)
  }
  return lines
}
