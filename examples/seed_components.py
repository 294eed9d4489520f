"""Answer three questions about the sample contract, first step by step, then with one call. Runs offline."""

import asyncio

from spanwise.answering.simple import answer_query
from spanwise.components import AgenticRetriever, LLMJudge, QueryDecomposer, ResponseGenerator
from spanwise.mock_data import MockDocumentStore


async def step_by_step(query: str) -> None:
    """Show what each of the four components makes of a question."""
    parts = await QueryDecomposer().decompose(query)
    sections = await AgenticRetriever(MockDocumentStore()).retrieve(query, parts)
    response = ResponseGenerator().generate(sections)
    verdict = await LLMJudge().evaluate(response, sections)

    print(f"{query}\n  intent {parts['intent']}, entities {', '.join(parts['entities'])}")
    for section in sections:
        print(f"  {section['_relevance_score']:5.1f}  {section['title']}, page {section['page_num']}")
    print(f"  {verdict['reasoning']}")
    if verdict["should_return"]:
        print(f"  {response}")


async def main() -> None:
    """One question step by step, two with one call."""
    await step_by_step("What are the payment terms?")
    for query in ("What is the late payment penalty?", "Which colour has the moon?"):
        result = await answer_query(query)
        print(f"\n{query}\n  {' > '.join(result['node_history'])}\n  {result['final_output']}")


if __name__ == "__main__":
    asyncio.run(main())
