import json


def test_values_are_placed(spanwise, contract):
    (contract.parent / "v.json").write_text(json.dumps({"late_fee": "1.5%", "payment_due": "45 days"}))
    code, out, _ = spanwise("ground", "v.json", contract.name)
    assert code == 1
    assert "found: late_fee = 1.5%" in out
    assert "contract.txt, line 10: A late fee of 1.5% per month" in out
    assert "differs: payment_due = 45 days" in out
    assert "the document says: 30 days" in out
    assert out.endswith("1 found, 1 differs, 0 not found\n")


def test_json_and_exit_codes(spanwise, contract):
    (contract.parent / "v.json").write_text(json.dumps({"late_fee": "1.5%"}))
    code, out, err = spanwise("ground", "v.json", contract.name, "--json", "--highlight", "out.pdf")
    assert code == 0
    assert json.loads(out)["items"][0]["citation"]["line_start"] == 10
    assert "nothing to highlight" in err
    assert spanwise("ground", "none.json", contract.name)[0] == 2
    assert spanwise("ground", "v.json", "none.txt")[0] == 2
