// The way to the table: JSON in, JSON out, each act with an id of its own so that a repeat is done once.

// crypto.randomUUID is missing on plain http; getRandomValues is there.
export function newId() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

const pause = (milliseconds) => new Promise((after) => setTimeout(after, milliseconds));

// Returns {ok, status, body}; status 0 when the table could not be reached after three tries.
export async function send(path, options) {
  for (let attempt = 0; ; attempt += 1) {
    try {
      const answer = await fetch(path, { cache: "no-store", credentials: "same-origin", ...options });
      const text = answer.status === 304 ? "" : await answer.text();
      let body = null;
      try {
        body = text ? JSON.parse(text) : null;
      } catch {
        body = null;
      }
      return { ok: answer.ok, status: answer.status, body };
    } catch {
      if (attempt >= 2 || options?.once) return { ok: false, status: 0, body: null };
      await pause(700 * (attempt + 1));
    }
  }
}

export const post = (path, body) =>
  send(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
