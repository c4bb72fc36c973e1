/** Sets an own property under any name: an assignment to `__proto__` would set the prototype. */
export const setOwn = <A>(record: Record<string, A>, name: string, value: A): void => {
  if (name === "__proto__") {
    Object.defineProperty(record, name, {
      value,
      configurable: true,
      enumerable: true,
      writable: true
    })
  } else record[name] = value
}
