EN=1 npx tsx .score.ts copies 2>&1 | grep -E "agent|inline|caption"
