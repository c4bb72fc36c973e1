/** What an import took, and what it left out. */
import { escapeControls, renderTable } from "@signalbox/core/render"
import { count } from "../output/count.ts"
import type { Paint } from "../output/paint.ts"
import type { ConvertedListing } from "./convertListing.ts"

const countEndpoints = ({ models }: ConvertedListing): number =>
  models.reduce((sum, { endpoints = [] }) => sum + endpoints.length, 0)

export const renderImport = (file: string, converted: ConvertedListing, paint: Paint): string => {
  const { leftOut, lostFields, models, unwanted } = converted
  return [
    `Wrote ${count(models.length, "model")} with ${count(countEndpoints(converted), "endpoint")} to ${file}.`,
    ...(unwanted === 0 ? [] : [`The filters left out ${count(unwanted, "model")}.`]),
    ...(lostFields.size === 0
      ? []
      : [
          paint(
            "yellow",
            escapeControls(
              `Fields that a catalog does not have: ${Array.from(lostFields, ([field, times]) => `${field} (${count(times, "model")})`).join(", ")}.`
            )
          )
        ]),
    ...(leftOut.length === 0
      ? []
      : [
          "",
          renderTable(
            ["left out", "endpoint", "why"],
            leftOut.map(({ endpoint = "", model, reason }) => [model, endpoint, reason]),
            3
          )
        ])
  ].join("\n")
}

export const toImportJson = (file: string, converted: ConvertedListing): unknown => ({
  file,
  models: converted.models.length,
  endpoints: countEndpoints(converted),
  unwanted: converted.unwanted,
  left_out: converted.leftOut,
  lost_fields: Array.from(converted.lostFields, ([field, times]) => ({ field, models: times }))
})
