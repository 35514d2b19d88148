using System.Reflection;
using System.Reflection.Emit;
using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;

namespace Ripple.Architecture.Tests;

/// <summary>One instruction of a compiled method.</summary>
/// <param name="Code">What it does.</param>
/// <param name="Offset">Where it stands.</param>
/// <param name="Operand">The type or member it names; nil when it names none.</param>
/// <param name="Target">Where it may go on; -1 when it is no branch.</param>
internal readonly record struct IlCode(OpCode Code, int Offset, EntityHandle Operand, int Target)
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
            int offset = il.Offset;
            int value = il.ReadByte();
            OpCode code = Codes[value == 0xFE ? 0xFE00 | il.ReadByte() : value];
            int target = -1;
            EntityHandle operand = default;
            switch (code.OperandType)
            {
                case OperandType.InlineBrTarget:
                    target = il.ReadInt32() + il.Offset;
                    break;
                case OperandType.ShortInlineBrTarget:
                    target = il.ReadSByte() + il.Offset;
                    break;
                default:
                    operand = ReadOperand(ref il, code.OperandType);
                    break;
            }

            all.Add(new IlCode(code, offset, operand, target));
        }

        return all;
    }

    private static EntityHandle ReadOperand(ref BlobReader il, OperandType operand)
    {
        switch (operand)
        {
            case OperandType.InlineField
                or OperandType.InlineMethod
                or OperandType.InlineTok
                or OperandType.InlineType
                or OperandType.InlineSig:
                return MetadataTokens.EntityHandle(il.ReadInt32());
            case OperandType.InlineSwitch:
                int count = il.ReadInt32();
                il.Offset += 4 * count;
                break;
            case OperandType.InlineI8 or OperandType.InlineR:
                il.Offset += 8;
                break;
            case OperandType.InlineI or OperandType.InlineString or OperandType.ShortInlineR:
                il.Offset += 4;
                break;
            case OperandType.InlineVar:
                il.Offset += 2;
                break;
            case OperandType.ShortInlineI or OperandType.ShortInlineVar:
                il.Offset += 1;
                break;
        }

        return default;
    }
}
