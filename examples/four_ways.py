"""One question, four ways to an answer: without a model, in a response mode, guarded, and as a typed contract.

The model is scripted, so this runs offline; name a real one in its place (`spanwise.model_from("ollama:llama3.3")`).
"""

import json
from pathlib import Path

import spanwise

DOCUMENT = Path(__file__).parent / "documents" / "station-standard.pdf"
QUESTION = "What is exact time?"
SENTENCE = "The clock of the station never differs from coordinated universal time by more than two seconds"


def scripted(*replies: str) -> spanwise.ScriptedModel:
    """A model that says what is written here."""
    return spanwise.ScriptedModel(list(replies))


def main() -> None:
    """Read the document and ask it."""
    with spanwise.Corpus.of([spanwise.read(DOCUMENT)]) as corpus:
        four_ways(corpus)


def four_ways(corpus: spanwise.Corpus) -> None:
    """Ask four times and print what each way gives."""
    extractive = spanwise.Engine(corpus).ask(QUESTION)
    print("extractive: ", extractive.text, [citation.line_start for citation in extractive.citations])

    hits = corpus.search(QUESTION, k=5)
    response = spanwise.Synthesizer("compact", scripted(f"{SENTENCE} [1].")).synthesize(QUESTION, hits)
    print("mode:       ", response.response, [citation.line_start for citation in response.citations])

    chunks = [{"chunk_id": f"c{at}", "text": hit.passage.text, "score": 0.9} for at, hit in enumerate(hits)]
    told = spanwise.SynthesisInput(trace_id="t1", query=QUESTION, retrieved_chunks=chunks)
    guarded = spanwise.ResponseSynthesizer(scripted(f"{SENTENCE} [c0].")).synthesize(told)
    print("guarded:    ", guarded.answer, guarded.used_chunk_ids, guarded.warnings)

    line = extractive.citations[0].line_start
    answer = {
        "items": [{"text": SENTENCE, "spans": [{"line_start": line, "line_end": line + 1}]}],
        "extraction_method": "verbatim",
        "confidence": 0.9,
        "answer_found": True,
        "complete_answer_found": True,
        "context_completeness_weak": 0.9,
        "context_structured": True,
        "conflicting_evidence": False,
    }
    typed = spanwise.Engine(corpus, model=scripted(json.dumps(answer))).ask(QUESTION)
    print("typed:      ", typed.text, [citation.line_start for citation in typed.citations])


if __name__ == "__main__":
    main()
