using System.Collections;
using System.Reflection;
using Ripple.Engine.Core;
using Ripple.Engine.Matching;
using Ripple.Engine.Protocol.Joining;
using Ripple.Engine.Regions;
using Ripple.Engine.Releases;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Tests.Protocol;

/// <summary>
/// Makes instances of messages by their constructors, the same for one number: different numbers give every parameter different values.
/// </summary>
internal static class Specimen
{
    /// <summary>Everything is zero, empty or false.</summary>
    public const int Least = 0;

    public static ConstructorInfo ConstructorOf(Type type) =>
        type.GetConstructors()
            .Where(c => c.GetParameters() is not [{ } only] || only.ParameterType != type)
            .MaxBy(c => c.GetParameters().Length)!;

    public static object Make(Type type, int number) =>
        ConstructorOf(type).Invoke(
            [.. ConstructorOf(type).GetParameters().Select((p, i) => Value(p, number == Least ? Least : (number * 31) + i))]);

    /// <summary>A value of a parameter. Region keys are 16 bytes and member keys 32, always; any other block may be 16.</summary>
    public static object Value(ParameterInfo parameter, int number) => parameter.Name == nameof(JoinAccepted.MemberKey)
        ? new ReadOnlyMemory<byte>(Bytes(MemberKey.KeyBytes, number))
        : Value(parameter.ParameterType, number);

    private static object Value(Type type, int number)
    {
        if (type.IsEnum)
        {
            Array values = Enum.GetValues(type);
            return values.GetValue(number % values.Length)!;
        }

        if (type == typeof(ReadOnlyMemory<byte>))
        {
            return new ReadOnlyMemory<byte>(Bytes(16, number));
        }

        if (type.IsGenericType && type.GetGenericTypeDefinition() == typeof(IReadOnlyList<>))
        {
            Type item = type.GetGenericArguments()[0];
            var list = (IList)Activator.CreateInstance(typeof(List<>).MakeGenericType(item))!;
            for (int i = 0; i < (number == Least ? 0 : 1 + (number % 3)); i++)
            {
                list.Add(Value(item, number + i + 1));
            }

            return list;
        }

        if (type.IsGenericType && type.GetGenericTypeDefinition() == typeof(KeyValuePair<,>))
        {
            return Activator.CreateInstance(
                type, Value(type.GetGenericArguments()[0], number), Value(type.GetGenericArguments()[1], number + 1))!;
        }

        return Simple(type, number) ?? Make(type, number);
    }

    private static object? Simple(Type type, int number) => type switch
    {
        _ when type == typeof(bool) => number % 2 == 1,
        _ when type == typeof(byte) => (byte)number,
        _ when type == typeof(ushort) => (ushort)(number * 257),
        _ when type == typeof(uint) => (uint)number * 16_777_259,
        _ when type == typeof(ulong) => (ulong)number * 0x0101_0101_0101_0103,
        _ when type == typeof(long) => -number * 0x0101_0101_0101_0103,
        _ when type == typeof(string) => number == Least ? string.Empty : $"é{number}",
        _ when type == typeof(Guid) => number == Least ? Guid.Empty : new Guid(Bytes(16, number)),
        _ when type == typeof(Digest160) => number == Least ? default : Digest160.Read(Bytes(Digest160.Size, number)),

        _ when type == typeof(AttributeValue) => number == Least ? AttributeValue.Real(0) : AttributeValue.Integer(number),

        // A member's two ports share one address, and a message says it once.
        _ when type == typeof(NodeAddress) => number == Least ? default : new NodeAddress(0x2001_0db8_0000_0000, 1, (ushort)number),
        _ when type == typeof(ViewNumber) => new ViewNumber((ulong)number * 0x0101_0103),
        _ when type == typeof(RegionView) => number == Least
            ? new RegionView(0, new ViewNumber(0), [])
            : new RegionView(
                (ulong)number,
                new ViewNumber((ulong)number + 1),
                [.. Enumerable.Range(1, 2).Select(i => (RegionMember)Make(typeof(RegionMember), number + i))]),
        _ => null,
    };

    private static byte[] Bytes(int count, int number) =>
        [.. Enumerable.Range(0, count).Select(i => number == Least ? (byte)0 : (byte)(number + (i * 7)))];
}
