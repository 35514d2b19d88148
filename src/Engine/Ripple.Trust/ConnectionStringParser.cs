using System.Text;

namespace Ripple.Trust;

/// <summary>Parses one connection string. Errors never repeat values that may be secret.</summary>
internal sealed class ConnectionStringParser
{
    private static readonly string[] Words = ["Endpoints", "Authority", "Token", "TokenFile", "Application", "Zone", "Name", "Labels"];

    private readonly Dictionary<string, string> _values = new(StringComparer.OrdinalIgnoreCase);
    private string _error = "";

    public bool TryParse(string text, out ConnectionString? result, out string error)
    {
        result = TrySplit(text) ? Build() : null;
        error = _error;
        return result is not null;
    }

    private bool TrySplit(string text)
    {
        int at = 0;
        for (int part = 1; at < text.Length; part++)
        {
            int end = text.IndexOf(';', at);
            end = end < 0 ? text.Length : end;
            if (text.AsSpan(at, end - at).IsWhiteSpace())
            {
                at = end + 1;
                continue;
            }

            int equals = text.IndexOf('=', at);
            if (equals < 0 || equals > end)
            {
                return Fail($"Part {part} has no '='. Write it as Word=value; the words are {string.Join(", ", Words)}.");
            }

            string word = text[at..equals].Trim();
            string? known = Array.Find(Words, w => w.Equals(word, StringComparison.OrdinalIgnoreCase));
            if (known is null)
            {
                return Fail($"Part {part} starts with the unknown word '{Shorten(word)}'. The words are {string.Join(", ", Words)}.");
            }

            if (!TryReadValue(text, equals + 1, known, out string value, out at))
            {
                return false;
            }

            if (value.Length == 0)
            {
                return Fail($"{known} (part {part}) is empty. Give it a value or leave it out.");
            }

            if (!_values.TryAdd(known, value))
            {
                return Fail($"{known} is given twice, the second time in part {part}. Leave one.");
            }
        }

        return true;
    }

    /// <summary>A value extends to the next ';', or is enclosed in double quotes with inner double quotes doubled.</summary>
    private bool TryReadValue(string text, int start, string word, out string value, out int next)
    {
        while (start < text.Length && char.IsWhiteSpace(text[start]))
        {
            start++;
        }

        if (start == text.Length || text[start] != '"')
        {
            int end = text.IndexOf(';', start);
            end = end < 0 ? text.Length : end;
            value = text[start..end].Trim();
            next = end + 1;
            return true;
        }

        var unquoted = new StringBuilder();
        int at = start + 1;
        while (at < text.Length && (text[at] != '"' || (at + 1 < text.Length && text[at + 1] == '"')))
        {
            unquoted.Append(text[at]);
            at += text[at] == '"' ? 2 : 1;
        }

        value = unquoted.ToString();
        int after = at + 1;
        while (after < text.Length && char.IsWhiteSpace(text[after]))
        {
            after++;
        }

        next = after + 1;
        return at < text.Length && (after >= text.Length || text[after] == ';')
            ? true
            : Fail($"{word} starts with a double quote but does not end with one before ';'. Double the quotes inside it.");
    }

    private ConnectionString? Build()
    {
        if (!TryEndpoints(out List<HostEndpoint> endpoints) || !TryAuthority(out byte[] authority)
            || !TryToken(out AccessTokenSecret? token, out string? tokenFile) || !TryLabels(out List<KeyValuePair<string, string>> labels))
        {
            return null;
        }

        string? application = _values.GetValueOrDefault("Application");
        if (application is not null && !TrustText.IsApplication(application))
        {
            Fail($"Application is '{Shorten(application)}', which is not {TrustText.ApplicationRule}.");
            return null;
        }

        foreach (string word in (string[])["Zone", "Name"])
        {
            if (_values.TryGetValue(word, out string? value) && !TrustText.IsName(value))
            {
                Fail($"{word} is '{Shorten(value)}', which is not {TrustText.NameRule}.");
                return null;
            }
        }

        return new(endpoints, authority)
        {
            Token = token,
            TokenFile = tokenFile,
            Application = application,
            Zone = _values.GetValueOrDefault("Zone"),
            Name = _values.GetValueOrDefault("Name"),
            Labels = labels,
        };
    }

    private bool TryEndpoints(out List<HostEndpoint> endpoints)
    {
        endpoints = [];
        if (!_values.TryGetValue("Endpoints", out string? value))
        {
            return Fail("Endpoints is missing. Name at least one host, as Endpoints=host1:7400,host2:7400.");
        }

        string[] texts = value.Split(',', StringSplitOptions.TrimEntries);
        if (texts.Length > ConnectionString.EndpointsMax)
        {
            return Fail(
                $"Endpoints has {texts.Length} entries; {ConnectionString.EndpointsMax} is the most. A few are enough: "
                    + $"the hosts tell of each other.");
        }

        foreach (string text in texts)
        {
            if (text.Length == 0)
            {
                return Fail("Endpoints has an empty entry between commas. Remove it, or write host:7400 there.");
            }

            if (!HostEndpoint.TryParse(text, out HostEndpoint endpoint, out string why))
            {
                return Fail($"Endpoints: {why}.");
            }

            endpoints.Add(endpoint);
        }

        return true;
    }

    private bool TryAuthority(out byte[] authority)
    {
        authority = [];
        const string Prefix = "sha256:";
        if (!_values.TryGetValue("Authority", out string? value))
        {
            return Fail(
                "Authority is missing. It is the fingerprint the host prints at its first start, as "
                    + "Authority=sha256:<64 hexadecimal digits>.");
        }

        string digits = value.StartsWith(Prefix, StringComparison.OrdinalIgnoreCase) ? value[Prefix.Length..].ToLowerInvariant() : "";
        if (!TrustText.IsLowerHex(digits, 64))
        {
            return Fail($"Authority is '{Shorten(value)}', which is not sha256: and 64 hexadecimal digits.");
        }

        authority = Convert.FromHexString(digits);
        return true;
    }

    private bool TryToken(out AccessTokenSecret? token, out string? tokenFile)
    {
        token = null;
        tokenFile = _values.GetValueOrDefault("TokenFile");
        bool hasToken = _values.TryGetValue("Token", out string? text);
        if (hasToken == tokenFile is not null)
        {
            return Fail(hasToken
                ? "Token and TokenFile are both given. Leave one."
                : "Token is missing. Give the token an administrator made for this application as Token=..., "
                    + "or the file it is in as TokenFile=...");
        }

        return !hasToken || AccessTokenSecret.TryParse(text, out token)
            ? true
            : Fail(
                $"Token is not a token ({text!.Length} characters; a token is 16 hexadecimal digits, a dot and 43 characters). "
                    + $"Copy it whole, or ask for a new one.");
    }

    private bool TryLabels(out List<KeyValuePair<string, string>> labels)
    {
        labels = [];
        if (!_values.TryGetValue("Labels", out string? value))
        {
            return true;
        }

        foreach (string text in value.Split(',', StringSplitOptions.TrimEntries))
        {
            int colon = text.IndexOf(':', StringComparison.Ordinal);
            if (colon < 0 || !TrustText.IsName(text.AsSpan(0, colon)) || !TrustText.IsName(text.AsSpan(colon + 1)))
            {
                return Fail($"Labels has '{Shorten(text)}', which is not key:value, each {TrustText.NameRule}.");
            }

            string key = text[..colon];
            if (labels.Exists(label => label.Key == key))
            {
                return Fail($"Labels has the key '{key}' twice. Leave one.");
            }

            labels.Add(new(key, text[(colon + 1)..]));
        }

        return labels.Count <= ConnectionString.LabelsMax
            || Fail($"Labels has {labels.Count} entries; {ConnectionString.LabelsMax} is the most.");
    }

    private bool Fail(string error)
    {
        _error = "The connection string is not valid. " + error;
        return false;
    }

    // The text before '=' may be half of a mistyped secret.
    private static string Shorten(string text) => text.Length <= 24 ? text : text[..8] + "...";
}
