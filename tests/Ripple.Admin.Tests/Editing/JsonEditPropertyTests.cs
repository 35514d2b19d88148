using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;
using Ripple.Admin.Editing;
using Ripple.Engine.Releases;

namespace Ripple.Admin.Tests.Editing;

/// <summary>Random documents and edits, beside a model that knows values alone.</summary>
public sealed class JsonEditPropertyTests
{
    private const int Cases = 10_000;

    private static readonly JsonDocumentOptions Lenient = new() { CommentHandling = JsonCommentHandling.Skip, AllowTrailingCommas = true };

    [Fact]
    public void An_edit_says_what_the_model_says_and_leaves_every_other_byte()
    {
        int changes = 0;
        for (int seed = 0; seed < Cases; seed++)
        {
            var random = new Random(seed);
            (byte[] document, JsonObject model) = RandomJson.Document(random);
            (JsonEdit edit, bool isChange) = RandomJson.Edit(random, model);

            JsonEditOutcome outcome = edit.Apply(document);

            string story = $"seed {seed}: {edit.Pointer} = {edit.Value ?? "nothing"} in\n{Encoding.UTF8.GetString(document)}\nis\n"
                + Encoding.UTF8.GetString(outcome.Document.Span);
            Assert.True(outcome.IsChanged == isChange, story);
            Assert.True(JsonForm.Check(outcome.Document.Span) is null, $"{JsonForm.Check(outcome.Document.Span)} {story}");
            Assert.True(JsonNode.DeepEquals(model, Parse(outcome.Document.Span)), story);
            CheckRest(document, outcome, edit, story);
            changes += isChange ? 1 : 0;
        }

        Assert.InRange(changes, Cases / 2, Cases);
    }

    /// <summary>What is outside of the pieces is equal, and the pieces hold nothing but the place: what goes is no other's value.</summary>
    private static void CheckRest(byte[] document, JsonEditOutcome outcome, JsonEdit edit, string story)
    {
        ReadOnlySpan<byte> result = outcome.Document.Span;
        int from = 0;
        int to = 0;
        foreach (JsonSplice splice in outcome.Splices)
        {
            Assert.True(document.AsSpan(from, splice.Start - from).SequenceEqual(result.Slice(to, splice.Start - from)), story);
            to += splice.Start - from + Encoding.UTF8.GetByteCount(splice.Text);
            from = splice.End;
            // Something is added without anything going but spaces.
            Assert.True(
                outcome.Before is not null || document.AsSpan(splice.Start, splice.End - splice.Start).IndexOfAnyExcept(" \t\r\n"u8) < 0,
                story);
        }

        Assert.True(document.AsSpan(from).SequenceEqual(result[to..]), story);
        if (edit.Value is not null && outcome is { Before: { } before, IsChanged: true })
        {
            JsonSplice only = Assert.Single(outcome.Splices);
            Assert.True(Encoding.UTF8.GetString(document.AsSpan(only.Start, only.End - only.Start)) == before, story);
        }
    }

    private static JsonNode? Parse(ReadOnlySpan<byte> document) => JsonNode.Parse(
        document.StartsWith("\uFEFF"u8) ? document[3..] : document, documentOptions: Lenient);
}

/// <summary>Makes documents as people write them, and worse, with the values that they hold.</summary>
internal sealed class RandomJson
{
    private static readonly string[] Names = ["a", "bee", "c/d", "~e", "\u00fc", "", "g \"h\"", "0", "-", "\U0001F600"];
    private static readonly string[] Scalars =
        ["1", "-2.50", "1e3", "true", "false", "null", "\"\"", "\"x, // y } ]\"", "\"\\u00e4 \\\"\""];

    private readonly Random _random;
    private readonly StringBuilder _text = new();
    private readonly string _newLine;
    private readonly bool _hasComments;
    private readonly bool _isPretty;

    private RandomJson(Random random)
    {
        _random = random;
        _newLine = random.Next(3) == 0 ? "\r\n" : "\n";
        _hasComments = random.Next(2) == 0;
        _isPretty = random.Next(2) == 0;
    }

    public static (byte[] Document, JsonObject Model) Document(Random random)
    {
        var json = new RandomJson(random);
        json.Gap(0);
        JsonObject model = json.Object(0);
        json.Gap(0);
        return (Encoding.UTF8.GetBytes((random.Next(8) == 0 ? "\uFEFF" : "") + json._text), model);
    }

    /// <summary>An edit, which is made in the model as well; false where the model says that nothing changes.</summary>
    public static (JsonEdit Edit, bool IsChange) Edit(Random random, JsonObject model)
    {
        string pointer = "";
        JsonNode at = model;
        while (true)
        {
            (string part, JsonNode? child) = Part(random, at);
            pointer += "/" + part.Replace("~", "~0", StringComparison.Ordinal).Replace("/", "~1", StringComparison.Ordinal);
            if (child is JsonObject or JsonArray && random.Next(3) > 0)
            {
                at = child;
                continue;
            }

            bool isThere = at is JsonArray elements ? part != "-" && elements.Count > 0 : ((JsonObject)at).ContainsKey(part);
            if (random.Next(3) == 0 && (isThere || at is JsonObject))
            {
                Remove(at, part);
                return (JsonEdit.Unset(pointer), isThere);
            }

            if (!isThere && at is JsonObject parent && random.Next(3) == 0)
            {
                parent[part] = new JsonObject { ["new"] = new JsonObject { ["newer"] = 1 } };
                return (JsonEdit.Set(pointer + "/new/newer", "1", createsMissing: true), true);
            }

            string value = new RandomJson(random).Value();
            JsonNode? node = JsonNode.Parse(value);
            bool isSame = isThere && Raw(child) == Raw(node);
            Put(at, part, node);
            return (JsonEdit.Set(pointer, value), !isSame);
        }
    }

    private static (string Part, JsonNode? Child) Part(Random random, JsonNode at)
    {
        if (at is JsonArray array)
        {
            int index = random.Next(array.Count + 1);
            return index == array.Count ? ("-", null) : (index.ToString(System.Globalization.CultureInfo.InvariantCulture), array[index]);
        }

        string name = Names[random.Next(Names.Length)];
        return (name, ((JsonObject)at)[name]);
    }

    private static void Remove(JsonNode at, string part)
    {
        if (at is JsonArray array)
        {
            array.RemoveAt(int.Parse(part, System.Globalization.CultureInfo.InvariantCulture));
        }
        else
        {
            ((JsonObject)at).Remove(part);
        }
    }

    private static void Put(JsonNode at, string part, JsonNode? value)
    {
        if (at is JsonObject parent)
        {
            parent[part] = value;
        }
        else if (part == "-")
        {
            ((JsonArray)at).Add(value);
        }
        else
        {
            ((JsonArray)at)[int.Parse(part, System.Globalization.CultureInfo.InvariantCulture)] = value;
        }
    }

    private static string Raw(JsonNode? node) => node?.ToJsonString() ?? "null";

    /// <summary>A value without comments, as an edit takes it.</summary>
    private string Value()
    {
        int kind = _random.Next(4);
        return kind == 0 ? "{\"v\": [1, {}], \"w\": \"\\n\"}"
            : kind == 1 ? $"[{_newLine}  1{_newLine}]"
            : Scalars[_random.Next(Scalars.Length)];
    }

    private JsonObject Object(int depth)
    {
        var model = new JsonObject();
        string[] names = [.. Names.OrderBy(_ => _random.Next()).Take(_random.Next(5))];
        Items('{', '}', depth, names.Length, i =>
        {
            _text.Append(JsonValue.Create(names[i]).ToJsonString());
            // The provider takes no comment there.
            _text.Append(_random.Next(4) == 0 ? " :" : ":");
            Gap(depth);
            model[names[i]] = Any(depth + 1);
        });
        return model;
    }

    private JsonArray Array(int depth)
    {
        var model = new JsonArray();
        Items('[', ']', depth, _random.Next(4), _ => model.Add(Any(depth + 1)));
        return model;
    }

    private JsonNode? Any(int depth)
    {
        int kind = depth > 4 ? 2 : _random.Next(4);
        if (kind < 2)
        {
            return kind == 0 ? Object(depth) : Array(depth);
        }

        string scalar = Scalars[_random.Next(Scalars.Length)];
        _text.Append(scalar);
        return JsonNode.Parse(scalar);
    }

    private void Items(char open, char close, int depth, int count, Action<int> item)
    {
        _text.Append(open);
        for (int i = 0; i < count; i++)
        {
            Line(depth + 1);
            item(i);
            Gap(depth);
            _text.Append(i < count - 1 || _random.Next(4) == 0 ? "," : "");
        }

        Line(depth);
        _text.Append(close);
    }

    private void Line(int depth)
    {
        Gap(depth);
        if (_isPretty)
        {
            _text.Append(_newLine).Append(' ', depth * 2);
        }
    }

    private void Gap(int depth)
    {
        for (int i = _isPretty ? _random.Next(-6, 3) : _random.Next(-2, 3); i > 0; i--)
        {
            _text.Append(_random.Next(_hasComments ? 7 : 4) switch
            {
                0 => " ",
                1 => "\t",
                2 => _newLine,
                3 => _newLine + new string(' ', depth),
                4 => "/* a, \"b\": { */",
                5 => "/* two\n lines */",
                _ => "// ] \"c\"" + _newLine,
            });
        }
    }
}
