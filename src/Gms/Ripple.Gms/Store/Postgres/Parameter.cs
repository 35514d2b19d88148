using System.Text;
using Npgsql;
using NpgsqlTypes;

namespace Ripple.Gms.Store.Postgres;

/// <summary>Values of statements, each with its type: a statement is prepared once for all values.</summary>
internal static class Parameter
{
    public static NpgsqlParameter Number(long value) => Of(NpgsqlDbType.Bigint, value);

    public static NpgsqlParameter Number(uint value) => Of(NpgsqlDbType.Bigint, (long)value);

    public static NpgsqlParameter Number(long? value) => Of(NpgsqlDbType.Bigint, value);

    public static NpgsqlParameter Number(ulong value) => Of(NpgsqlDbType.Bigint, (long)Math.Min(value, long.MaxValue));

    public static NpgsqlParameter Int(int value) => Of(NpgsqlDbType.Integer, value);

    public static NpgsqlParameter Text(string? value) => Of(NpgsqlDbType.Text, value is null ? null : Storable(value));

    public static NpgsqlParameter Bytes(byte[] value) => Of(NpgsqlDbType.Bytea, value);

    public static NpgsqlParameter Bytes(ReadOnlyMemory<byte>? value) => Of(NpgsqlDbType.Bytea, value);

    public static NpgsqlParameter Numbers(long[] values) => Of(NpgsqlDbType.Array | NpgsqlDbType.Bigint, values);

    public static NpgsqlParameter Ints(int[] values) => Of(NpgsqlDbType.Array | NpgsqlDbType.Integer, values);

    public static NpgsqlParameter Texts(string[] values) => Of(NpgsqlDbType.Array | NpgsqlDbType.Text, values);

    public static NpgsqlParameter Blocks(byte[]?[] values) => Of(NpgsqlDbType.Array | NpgsqlDbType.Bytea, values);

    /// <summary>A statement with its values.</summary>
    public static NpgsqlBatchCommand Command(string sql, params ReadOnlySpan<NpgsqlParameter> parameters)
    {
        var command = new NpgsqlBatchCommand(sql);
        foreach (NpgsqlParameter parameter in parameters)
        {
            command.Parameters.Add(parameter);
        }

        return command;
    }

    /// <summary>
    /// A text without what a database does not take: half a character, as a file's store does it, and U+0000, which the rules keep out of
    /// all but damaged input.
    /// </summary>
    public static string Storable(string text) =>
        text.AsSpan().IndexOfAnyInRange('\uD800', '\uDFFF') < 0 && !text.Contains('\0', StringComparison.Ordinal)
            ? text
            : Encoding.UTF8.GetString(Encoding.UTF8.GetBytes(text)).Replace('\0', '\uFFFD');

    private static NpgsqlParameter Of(NpgsqlDbType type, object? value) => new() { NpgsqlDbType = type, Value = value ?? DBNull.Value };
}
