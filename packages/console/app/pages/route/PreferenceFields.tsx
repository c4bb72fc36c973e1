/** The fields of the routing preferences, which edit the request. */
import { useState } from "preact/hooks"
import { Field } from "../../components/Field.tsx"
import {
  flagPreferences,
  getPreferences,
  isJson,
  type Json,
  listPreferences,
  numberPreferences,
  withPreference
} from "./request.ts"

interface Props {
  readonly request: Json
  readonly onChange: (request: Json) => void
}

export const PreferenceFields = ({ onChange, request }: Props) => {
  const preferences = getPreferences(request)
  const set = (name: string, value: unknown) => onChange(withPreference(request, name, value))
  const { data_collection: dataCollection, max_price: maxPrice, sort } = preferences
  const prices = isJson(maxPrice) ? maxPrice : {}
  const setPrice = (name: string, text: string) => {
    const { [name]: _, ...others } = prices
    const changed = text === "" ? others : { ...others, [name]: text }
    set("max_price", Object.keys(changed).length === 0 ? undefined : changed)
  }
  return (
    <>
      {listPreferences.map((name) => (
        <Field key={name} label={name}>
          <TextInput
            placeholder="a, b"
            value={toText(preferences[name])}
            read={(text) => toText(parseList(text))}
            onText={(text) => set(name, parseList(text))}
          />
        </Field>
      ))}
      <Field label="sort">
        <Choice
          value={typeof sort === "string" ? sort : ""}
          options={["price", "throughput", "latency", "exacto"]}
          onChange={(value) => set("sort", value)}
        />
      </Field>
      <Field label="data_collection">
        <Choice
          value={typeof dataCollection === "string" ? dataCollection : ""}
          options={["allow", "deny"]}
          onChange={(value) => set("data_collection", value)}
        />
      </Field>
      {flagPreferences.map((name) => (
        <Field key={name} label={name}>
          <Choice
            value={typeof preferences[name] === "boolean" ? String(preferences[name]) : ""}
            options={["true", "false"]}
            onChange={(value) => set(name, value === undefined ? undefined : value === "true")}
          />
        </Field>
      ))}
      {numberPreferences.map((name) => (
        <Field key={name} label={name}>
          <TextInput
            value={toText(preferences[name])}
            read={(text) => toText(parseNumber(text))}
            onText={(text) => set(name, parseNumber(text))}
          />
        </Field>
      ))}
      {["prompt", "completion"].map((name) => (
        <Field key={name} label={`max_price, ${name}`}>
          <TextInput
            placeholder="USD per million"
            value={toText(prices[name])}
            read={(text) => text.trim()}
            onText={(text) => setPrice(name, text.trim())}
          />
        </Field>
      ))}
    </>
  )
}

/** Keeps what is typed, such as a comma at the end, for as long as the request has what it means. */
const TextInput = ({
  onText,
  placeholder,
  read,
  value
}: {
  /** What the request has. */
  readonly value: string
  readonly placeholder?: string
  /** What a text would make of `value`. */
  readonly read: (text: string) => string
  readonly onText: (text: string) => void
}) => {
  const [text, setText] = useState(value)
  return (
    <input
      placeholder={placeholder}
      value={read(text) === value ? text : value}
      onInput={({ currentTarget: { value } }) => {
        setText(value)
        onText(value)
      }}
    />
  )
}

const Choice = ({
  onChange,
  options,
  value
}: {
  readonly value: string
  readonly options: ReadonlyArray<string>
  readonly onChange: (value: string | undefined) => void
}) => (
  <select
    value={value}
    onChange={({ currentTarget: { value } }) => onChange(value === "" ? undefined : value)}
  >
    <option value="">not set</option>
    {options.map((option) => (
      <option key={option} value={option}>
        {option}
      </option>
    ))}
  </select>
)

const toText = (value: unknown): string =>
  Array.isArray(value)
    ? value.join(", ")
    : typeof value === "string" || typeof value === "number"
      ? String(value)
      : ""

const parseList = (text: string): ReadonlyArray<string> | undefined => {
  const items = text
    .split(",")
    .map((item) => item.trim())
    .filter(Boolean)
  return items.length === 0 ? undefined : items
}

const parseNumber = (text: string): number | undefined =>
  text.trim() === "" || Number.isNaN(Number(text)) ? undefined : Number(text)
