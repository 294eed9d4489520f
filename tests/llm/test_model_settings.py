import pytest

from spanwise.errors import ModelSetupError
from spanwise.llm.provider_errors import redact
from spanwise.llm.providers import Settings, read_settings, settings_path


def test_without_a_file_there_is_nothing(monkeypatch, tmp_path):
    monkeypatch.delenv("SPANWISE_SETTINGS", raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert settings_path() == tmp_path / "spanwise" / "settings.toml"
    assert read_settings() == Settings()


def test_a_file_has_keys_and_models(monkeypatch, tmp_path):
    path = tmp_path / "settings.toml"
    path.write_text('[keys]\ngroq = "k-123456"\n[models."groq:x"]\ncontext_window = 8192\n')
    monkeypatch.setenv("SPANWISE_SETTINGS", str(path))
    settings = read_settings()
    assert settings.keys == {"groq": "k-123456"}
    assert settings.models["groq:x"] == {"context_window": 8192}
    assert "k-123456" not in repr(settings)


@pytest.mark.parametrize(
    "content",
    ["keys =", '[keys]\nopenai = "sk-secret-key-123', "[keys]\nopenai = 1", "models = 3", "[models]\nx = 1"],
    ids=["toml", "open", "number", "models", "model"],
)
def test_a_file_of_another_form_is_told_without_its_keys(monkeypatch, tmp_path, content):
    path = tmp_path / "settings.toml"
    path.write_text(content)
    monkeypatch.setenv("SPANWISE_SETTINGS", str(path))
    with pytest.raises(ModelSetupError) as caught:
        read_settings()
    assert "settings.toml" in str(caught.value)
    assert "secret" not in str(caught.value)


def test_a_named_file_that_is_missing_is_told(monkeypatch, tmp_path):
    monkeypatch.setenv("SPANWISE_SETTINGS", str(tmp_path / "missing.toml"))
    with pytest.raises(ModelSetupError, match="no settings file"):
        read_settings()


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("key sk-proj-abcdefghijklmnop is wrong", "key [secret] is wrong"),
        ("Authorization: Bearer abc.def-ghi", "Authorization: Bearer [secret]"),
        ("https://x.org/v1?key=abcdef123&alt=sse", "https://x.org/v1?key=[secret]&alt=sse"),
        ("http://user:pass@host/v1", "http://[secret]@host/v1"),
        ("the known one: my-own-key", "the known one: [secret]"),
        ("task-force disk-space risk-free", "task-force disk-space risk-free"),
    ],
    ids=["prefix", "bearer", "address", "password", "known", "words"],
)
def test_secrets_are_taken_out(text, shown):
    assert redact(text, ["my-own-key"]) == shown
