/** Server-sent events read from a response, so that a question can be posted and stopped. */

/**
 * @typedef {{event: string, data: any}} ServerEvent `data` is the JSON value.
 *
 * @param {Response} response
 * @returns {AsyncGenerator<ServerEvent>}
 */
export async function* eventsOf(response) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let waiting = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const blocks = (waiting + value).replaceAll("\r\n", "\n").split("\n\n");
      waiting = blocks.pop() ?? "";
      for (const block of blocks) {
        const event = parsed(block);
        if (event) yield event;
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** @param {string} block @returns {ServerEvent | null} null for a comment, which only keeps the connection open */
function parsed(block) {
  let event = "message";
  const data = [];
  for (const line of block.split("\n")) {
    if (line.startsWith("event:")) event = line.slice(6).trim();
    if (line.startsWith("data:")) data.push(line.slice(5).trimStart());
  }
  return data.length ? { event, data: JSON.parse(data.join("\n")) } : null;
}
