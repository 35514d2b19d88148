using System.Reflection;
using System.Reflection.Emit;
using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;

namespace Ripple.Architecture.Tests;

/// <summary>One instruction of a compiled method.</summary>
/// <param name="Code">What it does.</param>
/// <param name="Operand">The type or member it names; nil when it names none.</param>
internal readonly record struct IlCode(OpCode Code, EntityHandle Operand)
{
    private static readonly Dictionary<int, OpCode> Codes = typeof(OpCodes).GetFields(BindingFlags.Public | BindingFlags.Static)
        .Select(f => (OpCode)f.GetValue(null)!)
        .ToDictionary(c => c.Value & 0xFFFF);

    public static IReadOnlyList<IlCode> Of(MethodBodyBlock body)
    {
        var all = new List<IlCode>();
        BlobReader il = body.GetILReader();
        while (il.RemainingBytes > 0)
        {
            int value = il.ReadByte();
            OpCode code = Codes[value == 0xFE ? 0xFE00 | il.ReadByte() : value];
            all.Add(new IlCode(code, ReadOperand(ref il, code.OperandType)));
        }

        return all;
    }

    private static EntityHandle ReadOperand(ref BlobReader il, OperandType operand)
    {
        switch (operand)
        {
            case OperandType.InlineField or OperandType.InlineMethod or OperandType.InlineTok or OperandType.InlineType or OperandType.InlineSig:
                return MetadataTokens.EntityHandle(il.ReadInt32());
            case OperandType.InlineSwitch:
                int count = il.ReadInt32();
                il.Offset += 4 * count;
                break;
            case OperandType.InlineI8 or OperandType.InlineR:
                il.Offset += 8;
                break;
            case OperandType.InlineBrTarget or OperandType.InlineI or OperandType.InlineString or OperandType.ShortInlineR:
                il.Offset += 4;
                break;
            case OperandType.InlineVar:
                il.Offset += 2;
                break;
            case OperandType.ShortInlineBrTarget or OperandType.ShortInlineI or OperandType.ShortInlineVar:
                il.Offset += 1;
                break;
        }

        return default;
    }
}
