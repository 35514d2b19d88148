using System.Globalization;
using System.Text;
using System.Text.Json;
using Microsoft.AspNetCore.Http;
using Ripple.Engine.Protocol;
using Ripple.Engine.Releases;
using Ripple.Gms.Publishing;

namespace Ripple.Gms.Api;

/// <summary>
/// The body of a publish, read into one buffer and taken apart there, so that it costs about twice its length however many items it has.
/// One that has more items than a publish may have is refused as soon as that shows, and not read to its end.
/// </summary>
/// <param name="Note">The note.</param>
/// <param name="Keys">The keys with their values, in the order of the body.</param>
internal sealed record PublishBody(string Note, IReadOnlyList<PublishInputKey> Keys)
{
    /// <summary>The memory of one body while it is taken apart: the buffer, the one it grew from, and the values.</summary>
    public const long BytesMax = 3 * BufferBytesMax;

    private const long BufferBytesMax = 24 * 1024 * 1024;
    private const int FirstBytes = 64 * 1024;

    /// <summary>Reads the body of a request; called by the server before the route's filters.</summary>
    public static async ValueTask<PublishBody> BindAsync(HttpContext context)
    {
        byte[] buffer = new byte[FirstBytes];
        int length = 0;
        var items = new PublishItemCount();
        Stream body = context.Request.Body;
        while (await body.ReadAsync(buffer.AsMemory(length), context.RequestAborted).ConfigureAwait(false) is > 0 and int read)
        {
            length += read;
            if (length == buffer.Length)
            {
                if (length >= BufferBytesMax)
                {
                    throw new BadHttpRequestException("The body is too large.", StatusCodes.Status413PayloadTooLarge);
                }

                items.Count(buffer);
                Array.Resize(ref buffer, (int)Math.Min(2L * length, BufferBytesMax));
            }
        }

        return PublishBodyReader.Read(buffer.AsSpan(0, length));
    }
}

/// <summary>Counts the items of a publish while its body comes. A long item is looked at again each time the buffer has doubled.</summary>
internal sealed class PublishItemCount
{
    /// <summary>Where items are: in a list that is a member of the publish.</summary>
    private const int ItemDepth = 2;

    private JsonReaderState _state;
    private int _readBytes;
    private int _items;

    /// <summary>Counts what is new in a body that is not complete.</summary>
    /// <exception cref="ApiProblemException">It has more items than a publish may have.</exception>
    /// <exception cref="BadHttpRequestException">It is not JSON.</exception>
    public void Count(ReadOnlySpan<byte> begun)
    {
        var json = new Utf8JsonReader(begun[_readBytes..], isFinalBlock: false, _state);
        try
        {
            while (json.Read())
            {
                bool isEnd = json.TokenType is JsonTokenType.EndObject or JsonTokenType.EndArray;
                if (json.CurrentDepth == ItemDepth && !isEnd && ++_items > ReleaseLimits.ChangesMax)
                {
                    throw PublishBodyReader.TooManyKeys();
                }
            }
        }
        catch (JsonException e)
        {
            throw new BadHttpRequestException("The body is not JSON.", e);
        }

        _readBytes += (int)json.BytesConsumed;
        _state = json.CurrentState;
    }
}

/// <summary>
/// Takes the JSON of a <see cref="Admin.Contracts.PublishRequest"/> apart. Ends at the first item more than a publish may have, makes no
/// text longer than one may be, and keeps no values beyond what a publish may hold: a body is a few megabytes, and its items could be
/// millions.
/// </summary>
internal ref struct PublishBodyReader
{
    /// <summary>A character takes at most six bytes in JSON: <c>\u0041</c>.</summary>
    private const int EscapedBytes = 6;

    private readonly List<PublishInputKey> _keys = [];
    private Utf8JsonReader _json;
    private string _note = string.Empty;
    private long _valueBytes;

    private PublishBodyReader(ReadOnlySpan<byte> json) => _json = new Utf8JsonReader(json);

    /// <summary>Reads a body.</summary>
    /// <exception cref="ApiProblemException">It is more than a publish may be.</exception>
    /// <exception cref="BadHttpRequestException">It is not the JSON of a publish.</exception>
    public static PublishBody Read(ReadOnlySpan<byte> json)
    {
        var reader = new PublishBodyReader(json);
        try
        {
            reader.ReadBody();
            return new PublishBody(reader._note, reader._keys);
        }
        catch (Exception e) when (e is JsonException or InvalidOperationException)
        {
            // Text that is not UTF-8, or half a character, is an invalid operation to the reader.
            throw new BadHttpRequestException("The body is not JSON.", e as JsonException ?? new JsonException(e.Message, e));
        }
    }

    internal static ApiProblemException TooManyKeys() => ApiProblemException.Invalid(string.Create(
        CultureInfo.InvariantCulture, $"A publish has 1 to {ReleaseLimits.ChangesMax} keys; this one has more. Publish in parts."));

    private void ReadBody()
    {
        var seen = Members.None;
        Expect(Next() == JsonTokenType.StartObject, "The publish is not an object.");
        while (Next() != JsonTokenType.EndObject)
        {
            Members member = MemberOf(("set", Members.Set), ("remove", Members.Remove), ("note", Members.Note));
            Once(ref seen, member);
            switch (Next())
            {
                case JsonTokenType.Null:
                    break;
                case JsonTokenType.String when member == Members.Note:
                    _note = Text(ReleaseLimits.NoteBytesMax, "The note", "Shorten it.");
                    break;
                case JsonTokenType.StartArray when member == Members.Set:
                    ReadSets();
                    break;
                case JsonTokenType.StartArray when member == Members.Remove:
                    ReadRemoves();
                    break;
                default:
                    throw new JsonException($"The member '{member.ToString().ToLowerInvariant()}' has a value of another kind.");
            }
        }

        Expect(!_json.Read(), "Something follows the publish.");
        if (_valueBytes > ReleaseLimits.PublishBytesMax)
        {
            string text = string.Create(
                CultureInfo.InvariantCulture,
                $"The values have {_valueBytes} bytes together; a publish has at most {ReleaseLimits.PublishBytesMax}. Publish in parts.");
            throw new ApiProblemException(ErrorCode.TooLarge, text);
        }
    }

    private void ReadSets()
    {
        while (Next() != JsonTokenType.EndArray)
        {
            Expect(_json.TokenType == JsonTokenType.StartObject, "An item of 'set' is not an object.");
            ReadSet();
        }
    }

    private void ReadSet()
    {
        string? key = null;
        ReadOnlyMemory<byte>? text = null;
        ReadOnlyMemory<byte>? bytes = null;
        var seen = Members.None;
        while (Next() != JsonTokenType.EndObject)
        {
            Members member = MemberOf(("key", Members.Key), ("text", Members.Text), ("bytes", Members.Bytes));
            Once(ref seen, member);
            JsonTokenType type = Next();
            if (type == JsonTokenType.Null)
            {
                continue;
            }

            Expect(type == JsonTokenType.String, "A key or value is not text.");
            switch (member)
            {
                case Members.Key:
                    key = KeyText();
                    break;
                case Members.Text:
                    text = TextValue();
                    break;
                default:
                    bytes = BytesValue();
                    break;
            }
        }

        Expect(key is not null, "An item of 'set' has no member 'key'.");
        if (text is null == bytes is null)
        {
            throw ApiProblemException.Invalid(
                $"The key '{key}' has {(text is null ? "no value" : "two values")}. Give its value as one of text and bytes (base64).");
        }

        Add(new PublishInputKey(key!, text ?? bytes));
    }

    private void ReadRemoves()
    {
        while (Next() != JsonTokenType.EndArray)
        {
            Expect(_json.TokenType is JsonTokenType.String or JsonTokenType.Null, "An item of 'remove' is not text.");
            Add(new PublishInputKey(_json.TokenType == JsonTokenType.Null ? string.Empty : KeyText(), null));
        }
    }

    private readonly void Add(PublishInputKey key)
    {
        if (_keys.Count == ReleaseLimits.ChangesMax)
        {
            throw TooManyKeys();
        }

        _keys.Add(key);
    }

    private readonly string KeyText() => Text(ReleaseLimits.KeyBytesMax, "A key", "Give keys 1 to 512 bytes of UTF-8.");

    private readonly string Text(int bytesMax, string what, string remedy) => _json.ValueSpan.Length > bytesMax * EscapedBytes
        ? throw ApiProblemException.Invalid(
            string.Create(CultureInfo.InvariantCulture, $"{what} is longer than {bytesMax} bytes. {remedy}"))
        : _json.GetString()!;

    private ReadOnlyMemory<byte> TextValue()
    {
        // As it stands in the body, or shorter: what is escaped takes more there.
        byte[] value = new byte[_json.ValueSpan.Length];
        return Kept(value.AsMemory(0, _json.CopyString(value)));
    }

    private ReadOnlyMemory<byte> BytesValue() =>
        _json.TryGetBytesFromBase64(out byte[]? value) ? Kept(value) : throw new JsonException("A value in 'bytes' is not base64.");

    /// <summary>The value while all of them fit a publish; nothing once they do not, while the rest is counted.</summary>
    private ReadOnlyMemory<byte> Kept(ReadOnlyMemory<byte> value)
    {
        _valueBytes += value.Length;
        return _valueBytes > ReleaseLimits.PublishBytesMax ? default : value;
    }

    private JsonTokenType Next()
    {
        Expect(_json.Read(), "It ends too early.");
        return _json.TokenType;
    }

    private readonly Members MemberOf(params ReadOnlySpan<(string Name, Members Member)> members)
    {
        // Names are longer than this only by mistake.
        const int NameCharsMax = 64;
        string name = _json.ValueSpan.Length > NameCharsMax ? Encoding.UTF8.GetString(_json.ValueSpan[..NameCharsMax]) : _json.GetString()!;
        foreach ((string known, Members member) in members)
        {
            if (string.Equals(known, name, StringComparison.OrdinalIgnoreCase))
            {
                return member;
            }
        }

        throw new JsonException($"There is no member '{name}' here.");
    }

    private static void Once(ref Members seen, Members member)
    {
        Expect(!seen.HasFlag(member), "A member is there twice.");
        seen |= member;
    }

    private static void Expect(bool isSo, string otherwise)
    {
        if (!isSo)
        {
            throw new JsonException(otherwise);
        }
    }

    [Flags]
    private enum Members
    {
        None = 0,
        Set = 1,
        Remove = 2,
        Note = 4,
        Key = 8,
        Text = 16,
        Bytes = 32,
    }
}
